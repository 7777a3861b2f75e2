package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Entry;
import org.ecstore.client.Table;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process with a cluster is killed by SIGKILL at random moments while clients commit, and its
 * directory is opened again each time: what had been acknowledged is there.
 */
@Timeout(600)
@Order(1)
class CrashRecoveryTest {
  /** Each is a start of three nodes and the recovery of what the one before left. */
  private static final int KILLS = Boolean.getBoolean("ecstore.long") ? 40 : 8;

  private static final int ACCOUNTS = 64;
  private static final int CLIENTS = 4;
  private static final int ACKNOWLEDGED_MAX = 300;

  /** What each account holds: the tickets it was given, in the order they were committed. */
  private static final Table<String> ACCOUNTS_TABLE = Table.of("words", Codec.utf8());

  private static final Pattern TICKETS = Pattern.compile(" ");

  private static final EcStoreOptions PATIENT =
      EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(90)).readLevel(ReadLevel.STRONG);

  @TempDir Path directory;

  /**
   * The process that is killed. Each transaction gives one ticket to two accounts, mostly on
   * different nodes, as befriending does; a ticket is said aloud once its commit is acknowledged.
   */
  static final class Load {
    private Load() {}

    public static void main(String[] arguments) throws Exception {
      Path directory = Path.of(arguments[0]);
      Path acknowledged = Path.of(arguments[1]);
      int round = Integer.parseInt(arguments[2]);
      try (LocalCluster cluster = LocalCluster.start(directory, LocalClusterTest.SETTINGS);
          EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
        System.out.println("found " + check(store, Files.readAllLines(acknowledged)));
        Thread[] clients = new Thread[CLIENTS];
        for (int client = 0; client < CLIENTS; client++) {
          Random random = new Random(round * 100L + client);
          String name = round + "-" + client + "-";
          clients[client] = Thread.ofPlatform().start(() -> giveTickets(store, name, random));
        }
        for (Thread client : clients) {
          client.join();
        }
      }
    }

    private static void giveTickets(EcStore store, String name, Random random) {
      for (int i = 0; ; i++) {
        String ticket = name + i;
        long one = random.nextInt(ACCOUNTS);
        long other = (one + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        store.execute(
            tx -> {
              for (long account : new long[] {one, other}) {
                Tuple key = Tuple.of(account * LocalClusterTest.KEYS / ACCOUNTS);
                Optional<String> before = tx.get(ACCOUNTS_TABLE, key);
                tx.put(ACCOUNTS_TABLE, key, before.map(held -> held + " ").orElse("") + ticket);
              }
            });
        // One call of one short line: said whole or not at all.
        System.out.println("ticket " + ticket);
      }
    }
  }

  /**
   * "good", or what is wrong. Every ticket must be with two accounts, or, not acknowledged, none.
   */
  private static String check(EcStore store, List<String> acknowledged) {
    Map<String, Integer> found = new TreeMap<>();
    List<Entry<String>> entries =
        store.<List<Entry<String>>, RuntimeException>read(
            snapshot -> snapshot.scan(ACCOUNTS_TABLE).toList());
    for (Entry<String> entry : entries) {
      for (String ticket : TICKETS.splitAsStream(entry.value()).toList()) {
        found.merge(ticket, 1, Integer::sum);
      }
    }
    for (String ticket : acknowledged) {
      if (!found.containsKey(ticket)) {
        return "lost: " + ticket;
      }
    }
    for (Map.Entry<String, Integer> each : found.entrySet()) {
      if (each.getValue() != 2) {
        return "ticket " + each.getKey() + " is with " + each.getValue() + " accounts";
      }
    }
    return "good";
  }

  @Test
  @Tag("slow")
  void noAcknowledgedCommitIsLostByKillingTheProcess() throws Exception {
    Path store = directory.resolve("store");
    Path acknowledged = Files.createFile(directory.resolve("acknowledged"));
    Random random = new Random(20);
    for (int round = 0; round < KILLS; round++) {
      int before = 1 + random.nextInt(ACKNOWLEDGED_MAX);
      runAndKill(store, acknowledged, round, before);
    }
    try (LocalCluster cluster = LocalCluster.start(store, LocalClusterTest.SETTINGS);
        EcStore client = EcStore.connect(cluster.addresses(), PATIENT)) {
      List<String> all = Files.readAllLines(acknowledged);
      assertFalse(all.isEmpty());
      assertEquals("good", check(client, all));
      assertTrue(cluster.failures().isEmpty());
    }
  }

  /** Kills the process when it has said so many tickets, and keeps all it said. */
  private static void runAndKill(Path store, Path acknowledged, int round, int before)
      throws IOException, InterruptedException {
    StringBuilder heard = new StringBuilder();
    try (ChildProcess child = new ChildProcess(Load.class, store, acknowledged, round)) {
      assertEquals("found good", firstFinding(child), "round " + round);
      int tickets = 0;
      for (String line = child.line(); !line.isEmpty(); line = child.line()) {
        if (line.startsWith("ticket ")) {
          heard.append(line.substring("ticket ".length())).append('\n');
          tickets++;
        }
        if (tickets == before) {
          child.kill();
        }
      }
      assertNotEquals(0, child.exitStatus());
      assertTrue(tickets >= before, "round " + round + " ended by itself");
    }
    Files.writeString(acknowledged, heard, StandardOpenOption.APPEND);
  }

  /** What the process says of its directory, behind lines of its log; all of these if nothing. */
  private static String firstFinding(ChildProcess child) throws IOException {
    StringBuilder log = new StringBuilder();
    String line = child.line();
    while (!line.startsWith("found ") && !line.isEmpty()) {
      log.append(line).append('\n');
      line = child.line();
    }
    return line.isEmpty() ? log.toString() : line;
  }
}
