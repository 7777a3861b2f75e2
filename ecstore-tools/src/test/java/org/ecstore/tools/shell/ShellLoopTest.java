package org.ecstore.tools.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.net.AddressList;
import org.ecstore.core.testing.Await;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.LocalCluster;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.LineDisciplineTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A user at a terminal. */
@Timeout(60)
class ShellLoopTest {
  @TempDir private Path directory;

  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
  private LineDisciplineTerminal terminal;

  @BeforeEach
  void open() throws IOException {
    terminal = new LineDisciplineTerminal("test", "xterm", screen, StandardCharsets.UTF_8);
    terminal.setSize(Size.of(120, 30));
  }

  @AfterEach
  void close() throws IOException {
    terminal.close();
  }

  private Thread talk(EcStore store, String addresses) {
    PrintWriter out = new PrintWriter(screen, true, StandardCharsets.UTF_8);
    return Thread.ofPlatform()
        .start(
            () -> {
              try (Shell shell = new Shell(store, AddressList.parse(addresses), out)) {
                ShellLoop.talk(shell, terminal, directory.resolve("history"), out);
              }
            });
  }

  /** Types, and waits for what has to be seen then. */
  private void type(String keys, String seen) throws Exception {
    int from = screen.toString(StandardCharsets.UTF_8).length();
    terminal.processInputBytes(keys.getBytes(StandardCharsets.UTF_8));
    awaitSeen(from, seen);
  }

  private boolean hasSeen(int from, String seen) {
    return screen.toString(StandardCharsets.UTF_8).substring(from).contains(seen);
  }

  private void awaitSeen(int from, String seen) {
    Await.until("the screen shows " + seen, () -> hasSeen(from, seen));
  }

  @Test
  void commandsAreCompletedRecalledAndDropped() throws Exception {
    try (LocalCluster cluster =
            LocalCluster.start(directory.resolve("store"), ClusterSettings.DEFAULT.withNodes(1));
        EcStore store = EcStore.connect(cluster.addresses())) {
      Thread talking = talk(store, cluster.addresses());
      awaitSeen(0, "ecstore> ");
      type("put users alice 'Alice A.'\r", "committed");
      type("ge\t", "get ");
      type("us\t", "users ");
      type("alice\r", "Alice A.");
      type("\033[A", "get users alice");
      type("\033OA", "put users alice 'Alice A.'");
      type("\003", "ecstore> ");
      type("begin\r", "ecstore (tx)> ");
      type("put users bob 'not closed\r", "the quote ' is not closed");
      type("\004", "the open transaction is aborted");
      talking.join();
    }
    String history = Files.readString(directory.resolve("history"));
    assertEquals(4, history.lines().count(), history);
    assertTrue(history.contains("get users alice"), history);
  }

  @Test
  void anInterruptEndsACommandThatWaitsAndNotTheShell() throws Exception {
    LocalCluster cluster =
        LocalCluster.start(directory.resolve("store"), ClusterSettings.DEFAULT.withNodes(1));
    EcStoreOptions patient = EcStoreOptions.DEFAULT.deadline(Duration.ofMinutes(10));
    try (cluster;
        EcStore store = EcStore.connect(cluster.addresses(), patient)) {
      Thread talking = talk(store, cluster.addresses());
      awaitSeen(0, "ecstore> ");
      cluster.close();
      int from = screen.toString(StandardCharsets.UTF_8).length();
      // Until the end of bracketed pastes is asked for: the line is taken.
      type("get users alice\r", "\033[?2004l");
      Await.until(
          "the command is interrupted",
          () -> {
            // One that comes before the command interrupts nothing.
            terminal.raise(Terminal.Signal.INT);
            return hasSeen(from, "unavailable");
          });
      type("nonsense\r", "there is no command nonsense");
      type("quit\r", "");
      talking.join();
    }
  }
}
