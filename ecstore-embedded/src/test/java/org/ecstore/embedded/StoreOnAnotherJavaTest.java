package org.ecstore.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Table;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.spi.Connector;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreOnAnotherJavaTest {
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());

  @TempDir Path directory;

  private EcStore open() {
    return EcStore.over(new StoreOnAnotherJava().open(directory), EcStoreOptions.DEFAULT);
  }

  @Test
  void whatWasCommittedIsThereAfterTheProcessHasEnded() {
    try (EcStore store = open()) {
      store.execute(tx -> tx.put(WORDS, Tuple.of("en"), "hello"));
      assertEquals(
          Optional.of("hello"),
          store.application("reports").read(snapshot -> snapshot.get(WORDS, Tuple.of("en"))));
    }
    try (EcStore store = open()) {
      assertEquals(
          Optional.of("hello"), store.read(snapshot -> snapshot.get(WORDS, Tuple.of("en"))));
    }
  }

  @Test
  void theProcessEndsWithTheStore() {
    Connector connector = new StoreOnAnotherJava().open(directory);
    long nodes = nodesOf(directory);
    connector.close();
    assertEquals(1, nodes);
    assertEquals(0, nodesOf(directory));
  }

  /** The processes of this one whose argument is a directory. */
  private static long nodesOf(Path directory) {
    return ProcessHandle.current()
        .children()
        .filter(ProcessHandle::isAlive)
        .filter(child -> child.info().commandLine().orElse("").contains(directory.toString()))
        .count();
  }

  @Test
  @Tag("slow")
  void aDirectoryThatIsInUseIsSaidInTheWordsOfTheNode() {
    try (EcStore store = open()) {
      assertFalse(store.session().token().isEmpty());
      UnavailableException refused =
          assertThrows(UnavailableException.class, () -> new StoreOnAnotherJava().open(directory));
      assertTrue(refused.text().contains("in use"), refused.text());
    }
  }

  @Test
  void onlyAJavaThatIsNewEnoughIsTaken() throws IOException {
    java("old", "17.0.15");
    assertEquals(Optional.empty(), found());
    Path newer = java("new", "25.0.1");
    assertEquals(Optional.of(newer), found());
    assertEquals(
        Optional.of(java("named", "26")),
        NewerJava.find(
            Map.of(
                "ECSTORE_JDK_DIRS",
                directory + "/jdks",
                NewerJava.VARIABLE,
                directory + "/jdks/named")));
  }

  @Test
  void theJavaOfAShellIsFoundThroughItsLink() throws IOException {
    Path java = java("linked", "25.0.1");
    Path links = Files.createDirectories(directory.resolve("links"));
    Files.createSymbolicLink(links.resolve("java"), java);
    assertEquals(
        Optional.of(java.toRealPath()),
        NewerJava.find(
            Map.of("PATH", "/nonexistent" + File.pathSeparator + links, "ECSTORE_JDK_DIRS", "")));
  }

  private Optional<Path> found() {
    return NewerJava.find(Map.of("ECSTORE_JDK_DIRS", directory + "/jdks"));
  }

  private Path java(String name, String version) throws IOException {
    Path home = directory.resolve("jdks").resolve(name);
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(
        home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    Files.writeString(java, "");
    assertTrue(java.toFile().setExecutable(true));
    return java;
  }

  @Test
  void withoutThisArtifactAnOldJavaIsSaidInOneSentence() throws IOException, InterruptedException {
    Path old =
        NewerJava.find(System.getenv(), release -> release == 17)
            .orElseThrow(() -> new AssertionError("a Java 17 is needed: install one"));
    String withoutProvider =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !entry.contains("ecstore-embedded" + File.separator + "target"))
            .collect(Collectors.joining(File.pathSeparator));
    // The program itself, without the services beside it.
    Path program = Files.createDirectories(directory.resolve("org/ecstore/embedded"));
    try (InputStream compiled = OpensAStore.class.getResourceAsStream("OpensAStore.class")) {
      Files.copy(Objects.requireNonNull(compiled), program.resolve("OpensAStore.class"));
    }
    Process process =
        new ProcessBuilder(
                old.toString(),
                "-cp",
                directory + File.pathSeparator + withoutProvider,
                OpensAStore.class.getName(),
                directory.resolve("data").toString())
            .redirectErrorStream(true)
            .start();
    List<String> said = process.inputReader(StandardCharsets.UTF_8).lines().toList();
    assertEquals(0, process.waitFor(), said::toString);
    assertEquals(
        List.of(
            "the node of an embedded store needs Java 25, and this is Java 17: add"
                + " org.ecstore:ecstore-embedded, which runs it on a Java 25 beside this one, or"
                + " connect to a server"),
        said.stream().filter(line -> !line.startsWith("SLF4J")).toList());
  }
}
