package org.ecstore.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.LocalCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Applications of several kinds, each a project of its own below {@code matrix/} with the libraries
 * that Maven gives it, run on each Java that there is, without any flags: a value is committed and
 * read back, and nothing is said on standard error.
 */
class MatrixTest {
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
  private static final Path TARGET = Path.of("target", "matrix").toAbsolutePath();
  private static final String VERSION = property("ecstore.version");

  /** Those without which the matrix would say little; others are run where they are found. */
  private static final Set<Integer> JAVAS_NEEDED = Set.of(17, 25);

  /** Those that each build runs. */
  private static final Set<String> USUAL =
      Set.of(
          "netty41", "netty42", "embedded", "embedded-netty41", "boot35", "starter35", "starter4");

  private static final int CLIENT_JARS_MAX = 12;
  private static final int EMBEDDED_JARS_MAX = 26;
  private static final long EMBEDDED_BYTES_MAX = 8_000_000;

  private static final long RUN_SECONDS_MAX = 120;
  private static final long MAVEN_SECONDS_MAX = 600;

  @TempDir Path directory;

  private static String property(String name) {
    String value = System.getProperty(name, "");
    assertTrue(!value.isEmpty(), "Maven's build sets " + name);
    return value;
  }

  /**
   * Of each Netty, also beside Spring Boot, of a store in this JVM, and of the starters' sample
   * under Boot 3.5 on Java 17 and Boot 4 on Java 25.
   */
  @Test
  void theClientTheEmbeddedStoreAndTheStartersWorkOnEveryJavaWithoutFlags() throws Exception {
    assertAllWork("matrix.txt", project -> USUAL.contains(project.name()));
  }

  @Test
  @Tag("slow")
  void theRestOfTheMatrixWorksOnEveryJavaWithoutFlags() throws Exception {
    assertAllWork("matrix-rest.txt", project -> !USUAL.contains(project.name()));
  }

  private void assertAllWork(String told, Predicate<MatrixProject> which) throws Exception {
    List<MatrixProject> projects = projects().stream().filter(which).toList();
    Map<Integer, Optional<Path>> javas = javas(projects);
    MatrixRepository repository = repository();
    resolve(projects(), repository);

    List<String> failures = new ArrayList<>();
    StringBuilder table = new StringBuilder();
    try (LocalCluster cluster =
        LocalCluster.start(directory.resolve("cluster"), ClusterSettings.DEFAULT.withNodes(1))) {
      for (MatrixProject project : projects) {
        List<Path> libraries = repository.classes(project.resolved(TARGET), CHECKOUT);
        List<Path> classPath = new ArrayList<>(List.of(project.compile(libraries, TARGET)));
        classPath.addAll(libraries);
        for (int java : project.javas()) {
          String result =
              javas
                  .getOrDefault(java, Optional.empty())
                  .map(found -> run(found, java, project, classPath, cluster, failures))
                  .orElse("not run: no Java " + java + " is installed");
          table.append(String.format("%-18s java %d  %s%n", project.name(), java, result));
        }
      }
    }
    Files.writeString(TARGET.resolve(told), table);
    System.out.print("matrix\n" + table);
    assertEquals(List.of(), failures);
  }

  /** By the libraries of the project for the same Spring Boot, which has what it needs of them. */
  @Test
  @Tag("slow")
  void theShopOfTheExamplesCompiles() throws Exception {
    List<MatrixProject> projects = projects();
    MatrixRepository repository = repository();
    resolve(projects, repository);
    MatrixProject boot = MatrixProject.read(CHECKOUT.resolve("matrix/boot35"));
    List<Path> libraries = repository.classes(boot.resolved(TARGET), CHECKOUT);
    Path sources = CHECKOUT.resolve("examples/shop/src/main/java/com/example/shop");
    Path classes = boot.with("shop", sources).compile(libraries, TARGET);
    assertTrue(Files.exists(classes.resolve("com/example/shop/ShopApplication.class")));
  }

  @Test
  void theClientAndAnEmbeddedStoreBringLittleAndNoLogging() throws Exception {
    List<MatrixProject> projects = projects();
    MatrixRepository repository = repository();
    resolve(projects, repository);
    ClassPathReport client = report("ecstore-client", "netty42", repository);
    ClassPathReport embedded = report("ecstore-embedded", "embedded", repository);
    Files.writeString(TARGET.resolve("class-path.txt"), client.text() + embedded.text());
    System.out.print(client.text() + embedded.text());
    for (ClassPathReport report : List.of(client, embedded)) {
      assertEquals(List.of(), report.loggingBindings());
      for (String heavy :
          List.of("rocksdbjni", "netty-tcnative", "zookeeper", "bookkeeper", "picocli")) {
        assertFalse(report.has(heavy), () -> report.artifact() + " brings " + heavy);
      }
    }
    assertTrue(client.entries().size() <= CLIENT_JARS_MAX, client::text);
    assertTrue(embedded.entries().size() <= EMBEDDED_JARS_MAX, embedded::text);
    assertTrue(embedded.othersBytes() <= EMBEDDED_BYTES_MAX, embedded::text);
  }

  private static ClassPathReport report(
      String artifact, String project, MatrixRepository repository) throws IOException {
    List<Path> found =
        MatrixProject.read(CHECKOUT.resolve("matrix").resolve(project)).resolved(TARGET);
    // The project's own choice.
    List<Path> brought =
        found.stream()
            .filter(jar -> !jar.getFileName().toString().startsWith("slf4j-nop"))
            .toList();
    assertEquals(found.size() - 1, brought.size());
    return new ClassPathReport(artifact, repository.classes(brought, CHECKOUT));
  }

  private static MatrixRepository repository() throws IOException {
    return MatrixRepository.in(
        TARGET.resolve("repository"), Path.of(property("ecstore.repository")), CHECKOUT, VERSION);
  }

  private static List<MatrixProject> projects() throws IOException {
    List<MatrixProject> projects = new ArrayList<>();
    Path matrix = CHECKOUT.resolve("matrix");
    Matcher module =
        Pattern.compile("<module>(.*)</module>")
            .matcher(Files.readString(matrix.resolve("pom.xml")));
    while (module.find()) {
      projects.add(MatrixProject.read(matrix.resolve(module.group(1))));
    }
    assertTrue(projects.size() > 3, "the matrix has lost its projects");
    return projects;
  }

  private static Map<Integer, Optional<Path>> javas(List<MatrixProject> projects) {
    TreeSet<Integer> wanted = new TreeSet<>(JAVAS_NEEDED);
    projects.forEach(project -> wanted.addAll(project.javas()));
    Map<Integer, Optional<Path>> found = new TreeMap<>();
    for (int java : wanted) {
      found.put(java, NewerJava.find(System.getenv(), release -> release == java));
      assertTrue(
          found.get(java).isPresent() || !JAVAS_NEEDED.contains(java),
          () -> "the matrix needs a Java " + java + ": install one, or name it in JAVA_HOME");
    }
    return found;
  }

  /** Has Maven find all class paths, in one run, unless nothing has changed since. */
  private static void resolve(List<MatrixProject> projects, MatrixRepository repository)
      throws IOException, InterruptedException {
    Path stamp = TARGET.resolve("resolved");
    String poms = poms(projects);
    if (Files.exists(stamp) && Files.readString(stamp).equals(poms) && allResolved(projects)) {
      return;
    }
    Path log = TARGET.resolve("maven.log");
    for (String network : List.of("-o", "-U")) {
      Process maven =
          new ProcessBuilder(
                  property("ecstore.maven"),
                  "-q",
                  "-B",
                  network,
                  "-f",
                  CHECKOUT.resolve("matrix").toString(),
                  "-Dmaven.repo.local=" + repository.root(),
                  "-Decstore.version=" + VERSION,
                  "-Dmdep.includeScope=runtime",
                  "-Dmdep.outputFile=" + TARGET + "/${project.artifactId}.classpath",
                  "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath")
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (await(maven, MAVEN_SECONDS_MAX) == 0) {
        Files.writeString(stamp, poms);
        return;
      }
    }
    fail("Maven cannot find the libraries of the matrix:\n" + Files.readString(log));
  }

  private static boolean allResolved(List<MatrixProject> projects) throws IOException {
    for (MatrixProject project : projects) {
      if (!Files.exists(TARGET.resolve(project.name() + ".classpath"))
          || !project.resolved(TARGET).stream().allMatch(Files::exists)) {
        return false;
      }
    }
    return true;
  }

  /** What the class paths follow from. */
  private static String poms(List<MatrixProject> projects) throws IOException {
    List<Path> poms = new ArrayList<>(List.of(CHECKOUT.resolve("pom.xml")));
    MatrixRepository.MODULES.forEach(
        module -> poms.add(CHECKOUT.resolve("ecstore-" + module).resolve("pom.xml")));
    projects.forEach(project -> poms.add(project.folder().resolve("pom.xml")));
    StringBuilder text = new StringBuilder();
    for (Path pom : poms) {
      text.append(Files.readString(pom));
    }
    return text.toString();
  }

  private String run(
      Path java,
      int release,
      MatrixProject project,
      List<Path> classPath,
      LocalCluster cluster,
      List<String> failures) {
    try {
      String name = project.name() + "-java" + release;
      Path out = TARGET.resolve(name + ".out");
      Path err = TARGET.resolve(name + ".err");
      List<String> command =
          new ArrayList<>(
              List.of(
                  java.toString(),
                  "-cp",
                  MatrixProject.text(classPath),
                  project.main(),
                  project.netty(),
                  project.main().contains("Embedded")
                      ? directory.resolve(name).toString()
                      : cluster.addresses()));
      int status =
          project.main().contains("Starter")
              ? runBesideLateNode(command, name, out, err)
              : run(command, out, err);
      String said = Files.readString(out);
      String complaint = Files.readString(err);
      List<String> works = said.lines().filter(line -> line.startsWith("works ")).toList();
      if (status != 0 || works.size() != 1 || !complaint.isEmpty()) {
        failures.add(name + " ended with " + status + ":\n" + said + complaint);
        return "FAILED";
      }
      return works.get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private int runBesideLateNode(List<String> command, String name, Path out, Path err)
      throws IOException, InterruptedException {
    try (LateNode late = LateNode.of(directory.resolve(name))) {
      command.add(late.address());
      command.add(late.wanted().toString());
      return run(command, out, err);
    }
  }

  private static int run(List<String> command, Path out, Path err)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    // Java says on standard error that it has taken them.
    builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    return await(builder.start(), RUN_SECONDS_MAX);
  }

  private static int await(Process process, long secondsMax) throws InterruptedException {
    try {
      return process.waitFor(secondsMax, TimeUnit.SECONDS) ? process.exitValue() : -1;
    } finally {
      process.destroyForcibly();
    }
  }
}
