package org.ecstore.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Test;

/**
 * Each piece of Java in a guide, and in some other documents, stands, line by line, in a class of
 * tests, or in a source that a test runs which is named here: that something compiles it is not
 * enough. What a class of tests has is run by them: the compiler refuses a private method that
 * nothing calls. Pieces of other languages are of what tests run too.
 */
class GuidesTest {
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern PIECE = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$");
  private static final Pattern ARTIFACT =
      Pattern.compile(
          "<groupId>org\\.ecstore</groupId><artifactId>([\\w-]+)</artifactId>"
              + "<version>([\\d.]+)</version>|'org\\.ecstore:([\\w-]+):([\\d.]+)'");

  /** Folders whose classes of tests may have a piece. */
  private static final List<String> TESTS =
      List.of(
          "ecstore-client/src/test",
          "ecstore-junit/src/test",
          "ecstore-spring/src/test",
          "examples/bookstore/src/test");

  /**
   * A folder of sources that a project of the matrix runs as an application of its own.
   *
   * @param sources of the application
   * @param project of {@code matrix} that has them, beside those that use it
   * @param program within that project's own sources, which uses the application
   */
  private record Run(String sources, String project, String program) {
    String pom() {
      return "matrix/" + project + "/pom.xml";
    }
  }

  private static final List<Run> RUN =
      List.of(
          new Run(
              "examples/accounts/src/main/java/com/example/accounts",
              "starter35",
              "matrix/sources/starter/StarterCase.java"));

  private static final String MATRIX_TEST =
      "ecstore-embedded/src/test/java/org/ecstore/embedded/MatrixTest.java";

  /** What runs projects of the matrix in each build. */
  private static final Pattern MATRIX_RUN =
      Pattern.compile(
          "\\n  @Test\\n  void \\w+\\(\\) throws Exception \\{"
              + "\\n    assertAllWork\\(.*USUAL\\.contains");

  private static final Pattern MATRIX_USUAL =
      Pattern.compile("(?s) USUAL =\\s*Set\\.of\\((.*?)\\);");

  /** What users type that is no command of ecStore: the build itself. */
  private static final List<String> BUILDS = List.of("mvn -Dquick install");

  /** Documents that are no guides and show Java. */
  private static final List<String> BESIDE_GUIDES = List.of("docs/qos.md");

  private record Piece(String guide, String language, String text) {
    @Override
    public String toString() {
      return guide + ":\n" + text;
    }
  }

  /** The lines that say something, without their indentation. */
  private static String normal(String source) {
    return String.join(
        "\n", source.lines().map(String::strip).filter(line -> !line.isEmpty()).toList());
  }

  private static String read(String file) throws IOException {
    return Files.readString(CHECKOUT.resolve(file));
  }

  private static List<Piece> pieces(Predicate<String> language) throws IOException {
    List<Piece> pieces = new ArrayList<>();
    try (Stream<Path> guides = Files.list(CHECKOUT.resolve("docs/guides"))) {
      for (Path guide : guides.sorted().toList()) {
        pieces.addAll(pieces(guide, language));
      }
    }
    return pieces;
  }

  private static List<Piece> pieces(Path document, Predicate<String> language) throws IOException {
    List<Piece> pieces = new ArrayList<>();
    Matcher piece = PIECE.matcher(Files.readString(document));
    while (piece.find()) {
      if (language.test(piece.group(1))) {
        pieces.add(new Piece(document.getFileName().toString(), piece.group(1), piece.group(2)));
      }
    }
    return pieces;
  }

  private static List<String> sources(String folder, Predicate<String> which) throws IOException {
    List<String> sources = new ArrayList<>();
    try (Stream<Path> files = Files.walk(CHECKOUT.resolve(folder))) {
      for (Path file : files.filter(found -> found.toString().endsWith(".java")).toList()) {
        String source = Files.readString(file);
        if (which.test(source)) {
          sources.add(normal(source));
        }
      }
    }
    return sources;
  }

  /** Of classes of tests, and of what is run by one. */
  private static List<String> run() throws IOException {
    List<String> sources = new ArrayList<>();
    for (String folder : TESTS) {
      sources.addAll(sources(folder, source -> source.contains("  @Test\n")));
    }
    for (Run run : RUN) {
      sources.addAll(sources(run.sources(), source -> true));
    }
    return sources;
  }

  @Test
  void everyPieceIsRunByATest() throws IOException {
    List<String> sources = run();
    List<Piece> pieces = pieces("java"::equals);
    for (String document : BESIDE_GUIDES) {
      List<Piece> beside = pieces(CHECKOUT.resolve(document), "java"::equals);
      assertTrue(!beside.isEmpty(), () -> document + " has lost its examples");
      pieces.addAll(beside);
    }
    assertEquals(
        List.of(),
        pieces.stream()
            .filter(piece -> sources.stream().noneMatch(one -> one.contains(normal(piece.text()))))
            .toList());
    assertTrue(pieces.size() >= 10, "the guides have lost their examples: " + pieces.size());
  }

  /** So that an application that nothing starts any more has no piece either. */
  @Test
  void whatIsNamedAsRunIsRun() throws IOException {
    String test = read(MATRIX_TEST);
    assertTrue(MATRIX_RUN.matcher(test).find(), "no test runs the usual projects of the matrix");
    Matcher usual = MATRIX_USUAL.matcher(test);
    assertTrue(usual.find(), "no projects are usual");
    for (Run run : RUN) {
      assertTrue(usual.group(1).contains('"' + run.project() + '"'), run::project);
      String project = read(run.pom());
      String main = Path.of(run.program()).getFileName().toString().replace(".java", "");
      assertTrue(project.contains("../../" + run.sources() + "<"), run::pom);
      assertTrue(project.contains("." + main + "</matrix.main>"), run::pom);
      String uses = run.sources().substring(run.sources().indexOf("/java/") + 6).replace('/', '.');
      assertTrue(read(run.program()).contains("import " + uses + "."), run::program);
    }
    String program = read(RUN.getFirst().program());
    assertTrue(program.contains("/moves?from="), "the piece that moves money is not called");
  }

  /** What a build is told to fetch is what projects of the matrix are run with. */
  @Test
  void artifactsAreThoseThatTheMatrixIsRunWith() throws IOException {
    StringBuilder projects = new StringBuilder();
    try (Stream<Path> files = Files.list(CHECKOUT.resolve("matrix"))) {
      for (Path project : files.filter(Files::isDirectory).sorted().toList()) {
        Path pom = project.resolve("pom.xml");
        projects.append(Files.exists(pom) ? Files.readString(pom) : "");
      }
    }
    Matcher version =
        Pattern.compile("<artifactId>ecstore</artifactId>\\s*<version>([\\d.]+)<")
            .matcher(read("pom.xml"));
    assertTrue(version.find());
    List<Piece> pieces = pieces(List.of("xml", "groovy")::contains);
    assertTrue(pieces.size() >= 3, pieces::toString);
    for (Piece piece : pieces) {
      Matcher artifact = ARTIFACT.matcher(piece.text().replaceAll("\\s*\n\\s*", ""));
      assertTrue(artifact.find(), piece::toString);
      String name = Optional.ofNullable(artifact.group(1)).orElse(artifact.group(3));
      String number = Optional.ofNullable(artifact.group(2)).orElse(artifact.group(4));
      assertTrue(
          projects.toString().contains("<artifactId>" + name + "</artifactId>"),
          "no project of the matrix is run with it: " + piece);
      assertEquals(version.group(1), number, piece::toString);
    }
  }

  /** Properties are those that the program of the example gives, and commands are there. */
  @Test
  void propertiesAndCommandsAreThere() throws IOException {
    String program = read(RUN.getFirst().program());
    for (Piece piece : pieces("properties"::equals)) {
      for (String line : normal(piece.text()).lines().toList()) {
        assertTrue(program.contains("\"--" + line.split("=", 2)[0] + "="), piece::toString);
      }
    }
    for (Piece piece : pieces(""::equals)) {
      for (String line : normal(piece.text()).lines().toList()) {
        String[] words = line.split(" ", -1);
        assertTrue(
            BUILDS.contains(line)
                || (words[0].equals("bin/ecstore")
                    && EcStoreMain.commandLine().getSubcommands().containsKey(words[1])),
            piece::toString);
      }
    }
    List<String> known = List.of("", "java", "xml", "groovy", "properties");
    assertEquals(List.of(), pieces(language -> !known.contains(language)));
  }
}
