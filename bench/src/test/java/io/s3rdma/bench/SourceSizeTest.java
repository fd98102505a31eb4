package io.s3rdma.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Sizes that a reader can hold: no exceptions in place, so split instead. */
class SourceSizeTest {
  private static final int CLASS_LINES_MAX = 400;
  private static final int METHOD_LINES_MAX = 70;
  private static final int LINE_CHARS_MAX = 120;

  @Test
  void shouldKeepLinesShort() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path file : sources()) {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      for (int i = 0; i < lines.size(); i++) {
        int length = lines.get(i).codePointCount(0, lines.get(i).length());
        if (length > LINE_CHARS_MAX) {
          tooLong.add(where(file) + ":" + (i + 1) + " has " + length);
        }
      }
    }
    assertThat(tooLong).as("lines of more than %d characters", LINE_CHARS_MAX).isEmpty();
  }

  @Test
  void shouldKeepClassesAndMethodsShort() throws IOException {
    List<String> tooLong = new ArrayList<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, d -> {}, null, null, files.getJavaFileObjectsFromPaths(sources()));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new Sizes(unit, positions, tooLong).scan(unit, null);
      }
    }
    assertThat(tooLong)
        .as("classes over %d or methods over %d lines", CLASS_LINES_MAX, METHOD_LINES_MAX)
        .isEmpty();
  }

  /** Without comments before a declaration; those inside count. */
  private static final class Sizes extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<String> tooLong;

    Sizes(CompilationUnitTree unit, SourcePositions positions, List<String> tooLong) {
      this.unit = unit;
      this.positions = positions;
      this.tooLong = tooLong;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      check(type, type.getSimpleName().toString(), CLASS_LINES_MAX);
      return super.visitClass(type, null);
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      check(method, method.getName().toString(), METHOD_LINES_MAX);
      return super.visitMethod(method, null);
    }

    private void check(Tree tree, String name, int most) {
      long start = positions.getStartPosition(unit, tree);
      long end = positions.getEndPosition(unit, tree);
      if (start < 0 || end < 0) {
        return; // made by the compiler
      }
      LineMap lines = unit.getLineMap();
      long count = lines.getLineNumber(end) - lines.getLineNumber(start) + 1;
      if (count > most) {
        tooLong.add(where(Path.of(unit.getSourceFile().toUri())) + ": " + name + " has " + count);
      }
    }
  }

  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return Files.isDirectory(here.resolve("bench")) ? here : here.getParent();
  }

  private static Path where(Path file) {
    return root().relativize(file);
  }

  private static List<Path> sources() throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root())) {
      for (Path module : modules.sorted().toList()) {
        Path source = module.resolve("src");
        if (Files.isDirectory(source)) {
          collect(source, found);
        }
      }
    }
    assertThat(found).as("sources under %s", root()).hasSizeGreaterThan(100);
    return found;
  }

  private static void collect(Path folder, List<Path> into) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files.filter(f -> f.toString().endsWith(".java")).sorted().forEach(into::add);
    }
  }
}
