package io.s3rdma.rdma;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Compares the ABI version and every structure's size with what Java assumes. Fatal when they
 * differ.
 */
final class AbiCheck {
  static final int ABI_VERSION = 3;

  private AbiCheck() {}

  /** What differs, or an empty string. */
  static String mismatch(NativeLibrary library) {
    try {
      int version = (int) library.bind("s3r_abi_version").invokeExact();
      if (version != ABI_VERSION) {
        return "native library has ABI " + version + ", this jar needs " + ABI_VERSION;
      }
      MethodHandle sizeof = library.bind("s3r_sizeof", ValueLayout.JAVA_INT);
      for (int i = 0; i < Layouts.BY_NUMBER.size(); i++) {
        int size = (int) sizeof.invokeExact(i);
        if (size != Layouts.BY_NUMBER.get(i).byteSize()) {
          return "structure "
              + Layouts.BY_NUMBER.get(i).name().orElse("?")
              + " has "
              + size
              + " bytes in C and "
              + Layouts.BY_NUMBER.get(i).byteSize()
              + " in Java";
        }
      }
      return "";
    } catch (Throwable e) {
      throw new IllegalStateException("ABI check failed: " + e.getMessage(), e);
    }
  }
}
