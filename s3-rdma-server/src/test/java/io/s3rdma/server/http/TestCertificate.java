package io.s3rdma.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate of this host in PEM files, made by the JDK's keytool. */
public final class TestCertificate {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String ALIAS = "server";

  private final Path certificateFile;
  private final Path keyFile;
  private final Certificate certificate;

  private TestCertificate(Path certificateFile, Path keyFile, Certificate certificate) {
    this.certificateFile = certificateFile;
    this.keyFile = keyFile;
    this.certificate = certificate;
  }

  /** {@code algorithm} is keytool's: RSA, EC, Ed25519. Overwrites what is there. */
  public static TestCertificate make(Path directory, String algorithm)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = Files.createTempDirectory(directory, "keytool").resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                algorithm,
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,dns:*.localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .inheritIO()
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool failed");
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    Certificate certificate = keys.getCertificate(ALIAS);
    Path certificateFile = directory.resolve("certificate.pem");
    Path keyFile = directory.resolve("key.pem");
    write(keyFile, "PRIVATE KEY", keys.getKey(ALIAS, PASSWORD).getEncoded());
    write(certificateFile, "CERTIFICATE", certificate.getEncoded());
    return new TestCertificate(certificateFile, keyFile, certificate);
  }

  public Path certificateFile() {
    return certificateFile;
  }

  public Path keyFile() {
    return keyFile;
  }

  Certificate certificate() {
    return certificate;
  }

  /** Trusts this certificate and no other. */
  public TrustManager[] trust() {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(ALIAS, certificate);
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      return factory.getTrustManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  SSLContext clientContext() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust(), null);
    return context;
  }

  private static void write(Path file, String kind, byte[] der) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.write(file, List.of("-----BEGIN " + kind + "-----", text, "-----END " + kind + "-----"));
  }
}
