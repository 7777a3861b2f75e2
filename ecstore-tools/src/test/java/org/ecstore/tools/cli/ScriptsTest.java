package org.ecstore.tools.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ecstore.cluster.flags.NodeFlags;
import org.ecstore.core.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scripts {@code bin/ecstore}, {@code bin/find-jdk} and {@code .ci/run}, in a checkout of their
 * own whose path has spaces, with a Java and a Maven that only note how they were called.
 */
class ScriptsTest {
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();

  /** Later than any file this test makes. */
  private static final FileTime LATER = FileTime.fromMillis(4_000_000_000_000L);

  @TempDir private Path temp;
  private Path root;
  private Path tools;
  private Path jdk;

  /** What a script did. */
  private record Run(int status, String out, String err) {}

  @BeforeEach
  void makeCheckout() throws IOException {
    root = Files.createDirectories(temp.resolve("a check out"));
    tools = Files.createDirectories(temp.resolve("tools"));
    for (String script : List.of("bin/ecstore", "bin/find-jdk", ".ci/run")) {
      copyFromCheckout(script);
      assertTrue(Files.isExecutable(root.resolve(script)), script);
    }
    copyFromCheckout("ecstore-cluster/src/main/resources/org/ecstore/cluster/flags/node.options");
    Files.writeString(root.resolve("pom.xml"), "<project>\n  <version>1</version>\n</project>\n");
    Path sources = Files.createDirectories(root.resolve("ecstore-tools/src/main/java"));
    Files.writeString(sources.resolve("Main.java"), "class Main {}");
    Files.writeString(root.resolve("ecstore-tools/pom.xml"), "<project/>");
    Files.writeString(temp.resolve("some library.jar"), "");
    jdk = makeJdk("jdk home", "25.0.3");
    script(
        tools.resolve("mvn"),
        """
        echo "$JAVA_HOME" >> '%1$s/maven-runs'
        mkdir -p '%2$s/ecstore-tools/target/quick/classes'
        mkdir -p '%2$s/ecstore-cluster/target/quick/classes'
        touch '%2$s/ecstore-tools/target/quick/ecstore-tools-1.jar'
        touch '%2$s/ecstore-tools/target/quick/ecstore-tools-1-tests.jar'
        touch '%2$s/ecstore-tools/target/quick/ecstore-tools-0.jar'
        printf '%%s' '%1$s/some library.jar' > '%2$s/ecstore-tools/target/quick/classpath.txt'
        """
            .formatted(temp, root));
  }

  private void copyFromCheckout(String file) throws IOException {
    Path copy = root.resolve(file);
    Files.createDirectories(copy.getParent());
    Files.copy(CHECKOUT.resolve(file), copy);
  }

  private Path makeJdk(String name, String version) throws IOException {
    Path home = temp.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/javac"), "");
    script(
        home.resolve("bin/java"),
        """
        case "${ECSTORE_JAVA_OPTS:-}" in
          -XX:AOTCacheOutput=*) echo classes > "${ECSTORE_JAVA_OPTS#*=}" ;;
        esac
        case $* in
          *"org.ecstore.cluster.flags.NodeFlags server --config "*) echo -Xmx77m; exit ;;
        esac
        pwd
        for argument in "$@"; do echo "$argument"; done
        """);
    return home;
  }

  private static void script(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + body);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private ProcessBuilder process(Path directory, String... command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    Map<String, String> environment = builder.environment();
    environment.put("PATH", tools + ":/usr/bin:/bin");
    environment.put("HOME", temp.toString());
    environment.put("JAVA_HOME", jdk.toString());
    environment.put("ECSTORE_JDK_DIRS", temp.resolve("nowhere").toString());
    environment.remove("MAVEN_OPTS");
    environment.remove("ECSTORE_JAVA_OPTS");
    return builder;
  }

  private Run run(Path directory, String... command) throws IOException, InterruptedException {
    return finish(process(directory, command));
  }

  private Run finish(ProcessBuilder builder) throws IOException, InterruptedException {
    Path out = Files.createTempFile(temp, "out", "");
    Path err = Files.createTempFile(temp, "err", "");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    int status = process.waitFor();
    return new Run(status, Files.readString(out), Files.readString(err));
  }

  private String launcher() {
    return root.resolve("bin/ecstore").toString();
  }

  private int mavenRuns() throws IOException {
    Path runs = temp.resolve("maven-runs");
    return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
  }

  @Test
  void firstRunBuildsAndStartsWithTheArgumentsAsGiven() throws Exception {
    Path elsewhere = Files.createDirectories(temp.resolve("else where"));
    Run run = run(elsewhere, launcher(), "quickstart", "--edges", "my edges.txt");

    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().startsWith("building ecStore (first run: "), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    List<String> lines = run.out().lines().toList();
    assertEquals(elsewhere.toRealPath().toString(), lines.get(0));
    int main = lines.indexOf("org.ecstore.tools.cli.EcStoreMain");
    assertEquals(
        List.of("quickstart", "--edges", "my edges.txt"), lines.subList(main + 1, lines.size()));
    List<String> classPath = Arrays.asList(lines.get(main - 1).split(":"));
    assertEquals("-cp", lines.get(main - 2));
    assertTrue(classPath.contains(temp.resolve("some library.jar").toString()), run.out());
    assertTrue(
        classPath.contains(
            root.toRealPath().resolve("ecstore-tools/target/quick/ecstore-tools-1.jar").toString()),
        run.out());
    assertFalse(run.out().contains("-tests"), run.out());
    assertFalse(run.out().contains("ecstore-tools-0.jar"), "of an earlier release: " + run.out());
    assertFalse(run.out().contains("test-classes"), run.out());
  }

  private void mavenThatSays(int status) throws IOException {
    script(tools.resolve("mvn"), "echo \"mvn $*\"\nexit " + status + "\n");
  }

  @Test
  void verifyRunsAllTests() throws Exception {
    mavenThatSays(0);
    Run run = run(temp, launcher(), "verify");
    assertEquals(0, run.status(), run.err());
    assertEquals(
        "mvn -B -T 1 -f "
            + root.toRealPath().resolve("pom.xml")
            + " -Psbom -Derrorprone.ofTests= -Decstore.leftOut=nightly verify\n",
        run.out());
    mavenThatSays(1);
    assertEquals(1, run(temp, launcher(), "verify", "--nightly").status());
  }

  @Test
  void verifyByNightRunsWhatTakesHoursAfterwards() throws Exception {
    run(temp, launcher(), "--version");
    mavenThatSays(0);
    Run run = run(temp, launcher(), "verify", "--nightly");
    assertEquals(0, run.status(), run.err());
    assertTrue(
        run.out().contains("-Decstore.long=true -Decstore.leftOut=none verify\n"), run.out());
    assertTrue(run.out().endsWith("EcStoreMain\nnightly\n"), run.out());
    String judge = "-Decstore.judge=" + root.toRealPath().resolve("bin/judge-history");
    assertTrue(run.out().contains("\n" + judge + "\n"), run.out());
    String adapters =
        root.toRealPath().resolve("ecstore-cluster/target/quick/test-classes").toString();
    assertTrue(run.out().contains(":" + adapters + "\n"), run.out());
  }

  @Test
  void verifyDrawsTheStructureAloneIfAsked() throws Exception {
    mavenThatSays(0);
    Run run = run(temp, launcher(), "verify", "--structure");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("-Decstore.structure.write=true\n"), run.out());
    assertFalse(run.out().contains(" verify\n"), run.out());
    mavenThatSays(1);
    assertEquals(1, run(temp, launcher(), "verify", "--structure").status());
  }

  @Test
  void verifyRefusesWhatItDoesNotKnow() throws Exception {
    Run run = run(temp, launcher(), "verify", "--fast");
    assertEquals(2, run.status());
    assertEquals("ecstore verify: no option --fast (see ecstore verify --help)\n", run.err());
  }

  @Test
  void nodesHaveTheSameFlagsHoweverTheyAreStarted() throws Exception {
    List<String> lines = run(temp, launcher(), "server", "--config", "x").out().lines().toList();
    List<String> expected = new ArrayList<>(NodeFlags.read());
    expected.add("-Xmx77m");
    assertEquals(expected, lines.subList(1, lines.indexOf("-cp")));
    Path cache = root.toRealPath().resolve("target/quick/ecstore.aot");
    Files.writeString(cache, "classes");
    List<String> warm = run(temp, launcher(), "server", "--config", "x").out().lines().toList();
    assertTrue(warm.subList(1, warm.indexOf("-cp")).containsAll(NodeFlags.read()), warm::toString);
  }

  @Test
  void classesAreKeptReadyOnceForABuildWhereNodesWillStart() throws Exception {
    Path cache = root.toRealPath().resolve("target/quick/ecstore.aot");
    assertFalse(run(temp, launcher(), "cluster", "status").out().contains("AOTCache"));
    assertFalse(Files.exists(cache));

    Run first = run(temp, launcher(), "cluster", "up");
    assertTrue(first.err().contains("preparing quick starts"), first.err());
    assertTrue(first.out().contains("-XX:AOTCache=" + cache), first.out());
    assertTrue(Files.exists(cache));

    Run second = run(temp, launcher(), "torture");
    assertFalse(second.err().contains("preparing quick starts"), second.err());
    assertTrue(second.out().contains("-XX:AOTCache=" + cache), second.out());
  }

  @Test
  void whoAsksWhatACommandDoesOrWouldDoNeedNotWaitForClasses() throws Exception {
    for (String asks : List.of("--help", "-h", "--version", "--dry-run")) {
      Run run = run(temp, launcher(), "bench", "qos", asks);
      assertFalse(run.err().contains("preparing quick starts"), run.err());
    }
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void anInterruptWhileClassesAreKeptReadyLeavesNoNode() throws Exception {
    run(temp, launcher(), "--version");
    Path calls = temp.resolve("calls");
    script(
        jdk.resolve("bin/java"),
        """
        echo "$*" >> '%1$s'
        case $* in
          *"cluster up"*) touch '%1$s.begun'; sleep 60 & wait ;;
          *"cluster down"*) touch '%1$s.down' ;;
        esac
        """
            .formatted(calls));
    Path temporary = Files.createDirectories(temp.resolve("temporary"));
    ProcessBuilder builder = process(temp, "setsid", launcher(), "cluster", "up");
    builder.environment().put("TMPDIR", temporary.toString());
    builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    Process script = builder.start();
    Await.until("the command has begun", () -> Files.exists(temp.resolve("calls.begun")));
    // As a terminal does: to all of the command's processes. A shell may be told to ignore SIGINT.
    new ProcessBuilder("sh", "-c", "kill -s TERM -- -" + script.pid()).start().waitFor();
    assertNotEquals(0, script.waitFor());
    Await.until("temporary files are gone", () -> isEmpty(temporary));
    assertTrue(Files.exists(temp.resolve("calls.down")), Files.readString(calls));
    assertFalse(Files.exists(root.resolve("target/quick/ecstore.aot")));
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  @Test
  void whereClassesCannotBeKeptReadyItGoesOnWithout() throws Exception {
    script(jdk.resolve("bin/java"), "case $* in *\"--nodes 1\"*) exit 1 ;; esac\necho \"$@\"\n");
    Run first = run(temp, launcher(), "cluster", "up", "--nodes", "3");
    assertEquals(0, first.status(), first.err());
    assertTrue(first.err().contains("preparing quick starts"), first.err());
    assertFalse(first.out().contains("AOTCache"), first.out());
    assertFalse(run(temp, launcher(), "cluster", "up").err().contains("preparing"));
  }

  @Test
  void buildsAgainOnlyWhenASourceOrAPomIsNewer() throws Exception {
    run(temp, launcher());
    Run second = run(temp, launcher());
    assertEquals("", second.err());
    assertEquals(1, mavenRuns());

    for (String file : List.of("ecstore-tools/src/main/java/Main.java", "ecstore-tools/pom.xml")) {
      Path path = root.resolve(file);
      FileTime before = Files.getLastModifiedTime(path);
      Files.setLastModifiedTime(path, LATER);
      assertEquals(
          "building ecStore (sources have changed)...", run(temp, launcher()).err().strip());
      Files.setLastModifiedTime(path, before);
    }
    assertEquals(3, mavenRuns());
  }

  @Test
  void buildsAgainWhenALibraryIsGone() throws Exception {
    run(temp, launcher());
    Files.delete(temp.resolve("some library.jar"));
    run(temp, launcher());
    assertEquals(2, mavenRuns());
  }

  @Test
  void concurrentFirstRunsBuildOnce() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      processes.add(
          process(temp, launcher())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start());
    }
    for (Process process : processes) {
      assertEquals(0, process.waitFor());
    }
    assertEquals(1, mavenRuns());
  }

  @Test
  void symbolicLinksLeadToTheCheckout() throws Exception {
    Path link = Files.createSymbolicLink(tools.resolve("ec"), Path.of("second"));
    Files.createSymbolicLink(tools.resolve("second"), root.resolve("bin/ecstore"));
    assertEquals(0, run(temp, link.toString()).status());
    assertEquals(0, run(temp, "sh", "-c", "ec").status());
    assertEquals(1, mavenRuns());
  }

  @Test
  void plantedBugsComeFromTheTestSide() throws Exception {
    for (List<String> plant : List.of(List.of("--plant", "x"), List.of("--plant=x"))) {
      List<String> command = new ArrayList<>(List.of(launcher(), "sim"));
      command.addAll(plant);
      Run run = run(temp, command.toArray(String[]::new));
      assertTrue(run.out().contains("/ecstore-sim/target/quick/test-classes:"), run.out());
      assertTrue(run.out().contains("/ecstore-txn/target/quick/test-classes:"), run.out());
    }
  }

  @Test
  void failedBuildIsShownAndStartsNothing() throws Exception {
    script(tools.resolve("mvn"), "echo a library\necho '[ERROR] no such symbol'\nexit 1\n");
    Run run = run(temp, launcher());
    assertEquals(3, run.status());
    assertEquals("", run.out());
    assertTrue(run.err().contains("[ERROR] no such symbol"), run.err());
    assertFalse(run.err().contains("a library"), run.err());
    Path log = root.toRealPath().resolve("target/quick/ecstore.build.log");
    assertTrue(run.err().endsWith("ecstore: the build failed: " + log + " says all\n"), run.err());
    assertTrue(Files.readString(log).contains("a library"));
  }

  @Test
  void buildSaysHowFarItIs() throws Exception {
    Path mvn = tools.resolve("mvn");
    String build = Files.readString(mvn).replace("#!/bin/sh\n", "");
    script(
        mvn,
        """
        for i in $(seq 120); do echo "Downloaded from here: a library"; done
        echo '[INFO] Building ecstore-wire 0.1.0-SNAPSHOT                      [2/13]'
        echo '[INFO] Building jar: ecstore-wire.jar'
        """
            + build);
    Run run = run(temp, launcher());
    assertEquals(0, run.status(), run.err());
    assertEquals(
        List.of(
            "  50 files of libraries fetched",
            "  100 files of libraries fetched",
            "  [2/13] ecstore-wire"),
        run.err().lines().skip(1).toList());
  }

  @Test
  void withoutANewEnoughJdkOneLineSaysWhatToDo() throws Exception {
    jdk = makeJdk("old", "17.0.15");
    ProcessBuilder builder = process(temp, launcher());
    // The Java of this machine must not be found by its link in /usr/bin.
    script(tools.resolve("java"), "");
    Run run = finish(builder);
    assertEquals(3, run.status());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().contains("needs a JDK 25 or later"), run.err());
    assertEquals(0, mavenRuns());
  }

  @Test
  void jdkIsFoundInMavensToolchainsToo() throws Exception {
    Path found = jdk;
    jdk = makeJdk("old", "17.0.15");
    script(tools.resolve("java"), "");
    Path settings = Files.createDirectories(temp.resolve(".m2"));
    Files.writeString(
        settings.resolve("toolchains.xml"),
        "<toolchain>\n  <jdkHome>" + jdk + "</jdkHome>\n  <jdkHome>" + found + "</jdkHome>\n");
    Run run = run(temp, root.resolve("bin/find-jdk").toString());
    assertEquals(found + "\n", run.out(), run.err());
  }

  private Run continuousIntegration(int mavenStatus, String... suites) throws Exception {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < suites.length; i++) {
      body.append("mkdir -p ecstore-core/target/surefire-reports\n")
          .append("cat > ecstore-core/target/surefire-reports/TEST-Suite" + i + ".xml <<'X'\n")
          .append("<?xml version=\"1.0\"?>\n<testsuite name=\"Suite" + i + "\" " + suites[i])
          .append("\n</testsuite>\nX\n");
    }
    script(tools.resolve("mvn"), body + "exit " + mavenStatus + "\n");
    return continuousIntegration();
  }

  /** It shall install nothing here. */
  private Run continuousIntegration() throws Exception {
    script(tools.resolve("chromium"), "");
    script(tools.resolve("chromedriver"), "");
    return run(temp, root.resolve(".ci/run").toString());
  }

  private static String lastLine(Run run) {
    return run.out().lines().reduce("", (_, line) -> line);
  }

  @Test
  void continuousIntegrationSaysWhetherABrowserHasShownThePages() throws Exception {
    String suite = "tests=\"1\" errors=\"0\" skipped=\"0\" failures=\"0\">";
    Path pictures = root.resolve("examples/bookstore/target/screenshots");
    // Of a run before.
    Files.createFile(Files.createDirectories(pictures).resolve("old.png"));
    Run without = continuousIntegration(0, suite);
    assertEquals(0, without.status());
    assertTrue(without.err().contains("ci: NOT LOOKED AT: the bookstore's pages"), without.err());
    String maven = Files.readString(tools.resolve("mvn")).replace("#!/bin/sh\n", "");
    script(
        tools.resolve("mvn"),
        "mkdir -p '%s'\n>'%s/1.png'\n%s".formatted(pictures, pictures, maven));
    Run with = continuousIntegration();
    assertEquals(0, with.status());
    assertTrue(with.err().contains("examples/bookstore/target/screenshots: 1"), with.err());
    assertFalse(with.err().contains("NOT LOOKED AT"), with.err());
  }

  @Test
  void continuousIntegrationCountsTests() throws Exception {
    Run run =
        continuousIntegration(
            0,
            "tests=\"9\" errors=\"0\" skipped=\"0\" failures=\"0\">",
            "tests=\"4\" errors=\"0\" skipped=\"0\" failures=\"0\">");
    assertEquals("13 passed, 0 failed, 0 skipped", lastLine(run));
    assertEquals(0, run.status(), run.err());
  }

  @Test
  void continuousIntegrationFailsOnASkippedTestAndNamesItsClass() throws Exception {
    Run run =
        continuousIntegration(
            0,
            "tests=\"9\" errors=\"0\" skipped=\"0\" failures=\"0\">",
            "tests=\"4\" errors=\"0\" skipped=\"1\""
                + " failures=\"0\"><testcase><skipped/></testcase>");
    assertEquals("12 passed, 0 failed, 1 skipped", lastLine(run));
    assertEquals(1, run.status());
    assertTrue(run.err().contains("Suite1"), run.err());
    assertFalse(run.err().contains("Suite0"), run.err());
  }

  @Test
  void continuousIntegrationFailsWithTheBuild() throws Exception {
    Run run = continuousIntegration(1, "tests=\"9\" errors=\"1\" skipped=\"0\" failures=\"2\">");
    assertEquals("6 passed, 3 failed, 0 skipped", lastLine(run));
    assertEquals(1, run.status());
  }

  @Test
  void continuousIntegrationFailsWhereNoTestRan() throws Exception {
    Run run = continuousIntegration(0);
    assertEquals("0 passed, 0 failed, 0 skipped", lastLine(run));
    assertEquals(1, run.status());
  }
}
