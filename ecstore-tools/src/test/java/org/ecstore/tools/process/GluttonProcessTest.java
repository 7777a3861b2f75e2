package org.ecstore.tools.process;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.cluster.flags.NodeFlags;
import org.ecstore.cluster.node.NodeResources;
import org.ecstore.core.testing.Await;
import org.ecstore.key.Tuple;
import org.ecstore.protocol.ClientReply;
import org.ecstore.server.ChildProcess;
import org.ecstore.tools.attack.attacker.Glutton;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node of the smallest heap, and a client that takes what it can: others are served. */
@Timeout(300)
class GluttonProcessTest {
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());
  private static final Pattern SERVING = Pattern.compile("serving on (\\S+:(\\d+)) .*");
  private static final int MEBI = 1 << 20;
  private static final Pattern USED = Pattern.compile("used (\\d+)K \\[");

  /** The engine's cache, and what it and the outcomes may grow by beside it. */
  private static final long CACHE_BYTES = 64L << 20;

  @TempDir private Path temp;

  private ChildProcess node;
  private EcStore neighbour;
  private Glutton glutton;
  private int served;

  @BeforeEach
  void start() throws Exception {
    Path config =
        Files.writeString(
            temp.resolve("node.toml"),
            """
            cluster.name = "test"
            node.id = 1
            node.directory = "data"
            listen.port = 0
            log.file = "server.log"
            engine.cache = "48MiB"
            """);
    List<String> flags = new ArrayList<>(NodeResources.SMALL.flags());
    flags.addAll(NodeFlags.read());
    node = new ChildProcess(flags, EcStoreMain.class, "server", "--config", config);
    String line = node.lineOnceItServes();
    Matcher serving = SERVING.matcher(line);
    assertTrue(serving.matches(), line);
    neighbour = EcStore.connect(serving.group(1));
    glutton =
        new Glutton(
            new InetSocketAddress(
                InetAddress.getLoopbackAddress(), Integer.parseInt(serving.group(2))),
            20_260);
  }

  @AfterEach
  void stop() throws Exception {
    glutton.close();
    neighbour.close();
    node.close();
  }

  private void assertOthersAreServed() {
    assertTrue(node.isAlive(), "the node has not ended");
    String value = "value " + served++;
    neighbour.execute(tx -> tx.put(WORDS, Tuple.of("one"), value));
    assertTrue(
        neighbour
            .<Optional<String>, RuntimeException>read(
                snapshot -> snapshot.get(WORDS, Tuple.of("one")))
            .equals(Optional.of(value)));
  }

  @Test
  void aGreetingWithALongNameIsNotReceived() throws Exception {
    List<Future<?>> greetings = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      greetings.add(
          together.submit(
              () -> {
                glutton.greetWithName(79 * MEBI);
                return true;
              }));
    }
    for (Future<?> each : greetings) {
      each.get();
    }
    assertOthersAreServed();
  }

  /** Bytes of the node's heap in use after a collection. */
  private long heapUsed() throws Exception {
    ask("GC.run");
    long used = 0;
    Matcher each = USED.matcher(ask("GC.heap_info"));
    while (each.find()) {
      used += Long.parseLong(each.group(1)) << 10;
    }
    return used;
  }

  private String ask(String command) throws Exception {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process asked =
        new ProcessBuilder(jcmd.toString(), Long.toString(node.pid()), command)
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = asked.inputReader()) {
      return output.lines().collect(Collectors.joining("\n"));
    }
  }

  /**
   * All that is left of an attack is what the engine's cache has taken of it, once what was
   * answered has been folded.
   */
  private void assertHeapIsFlat(long before) throws Exception {
    glutton.close();
    assertOthersAreServed();
    Await.until(
        "the heap, of %d bytes before the attack, is within %d of that"
            .formatted(before, CACHE_BYTES),
        () -> {
          long after = heapUsed();
          return after > 0 && after < before + CACHE_BYTES;
        });
  }

  @Test
  @Tag("slow")
  void partsOfLargeMessagesTakeNoMoreThanTheirRoom() throws Exception {
    assertOthersAreServed();
    long before = heapUsed();
    for (int i = 0; i < 12; i++) {
      glutton.sendPart(40 * MEBI);
    }
    assertOthersAreServed();
    for (int i = 0; i < 12; i++) {
      glutton.sendPart(15 * MEBI);
    }
    assertOthersAreServed();
    assertHeapIsFlat(before);
  }

  @Test
  @Tag("slow")
  void manyReadsOfLargeValuesInOneRequestAreAnsweredInParts() throws Exception {
    assertInstanceOf(ClientReply.Committed.class, glutton.writeBig(MEBI));
    for (int i = 0; i < 4; i++) {
      glutton.readManyTimes(400, 20);
    }
    assertOthersAreServed();
  }

  @Test
  @Tag("slow")
  void largestTransactionsAtOnceAreTakenOrRefused() throws Exception {
    assertOthersAreServed();
    long before = heapUsed();
    assertAnswered(List.of(commit(100_000, 8)));
    assertOthersAreServed();
    List<Future<ClientReply>> sent = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      sent.add(commit(60, 1_000_000));
      sent.add(commit(100_000, 8));
      sent.add(commit(20, 1_000_000));
    }
    assertAnswered(sent);
    assertOthersAreServed();
    assertHeapIsFlat(before);
  }

  @Test
  @Tag("slow")
  void allAttacksAtOnceKeepNoClientOut() throws Exception {
    assertInstanceOf(ClientReply.Committed.class, glutton.writeBig(MEBI));
    List<Future<?>> attacks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      attacks.add(attack(() -> glutton.greetWithName(40 * MEBI)));
      attacks.add(attack(() -> glutton.sendPart(20 * MEBI)));
      attacks.add(attack(() -> glutton.sendPart(40 * MEBI)));
      attacks.add(attack(() -> glutton.readManyTimes(400, 10)));
      attacks.add(commit(100_000, 8));
      attacks.add(commit(20, 1_000_000));
    }
    for (Future<?> each : attacks) {
      each.get();
      assertOthersAreServed();
    }
  }

  /** One that the node may cut short. */
  private interface Attack {
    void run() throws IOException;
  }

  private Future<?> attack(Attack attack) {
    return together.submit(
        () -> {
          try {
            attack.run();
          } catch (IOException cutByNode) {
            assertTrue(node.isAlive(), "the node has not ended");
          }
          return true;
        });
  }

  private final ExecutorService together = Executors.newVirtualThreadPerTaskExecutor();

  private Future<ClientReply> commit(int keys, int valueBytes) {
    return together.submit(
        () -> {
          try {
            return glutton.commit(keys, valueBytes);
          } catch (IOException e) {
            throw new IOException("the node lives: " + node.isAlive() + "; it says " + log(), e);
          }
        });
  }

  private String log() throws IOException {
    return Files.readString(temp.resolve("server.log"));
  }

  private void assertAnswered(List<Future<ClientReply>> sent) throws Exception {
    for (Future<ClientReply> each : sent) {
      ClientReply reply = each.get();
      assertTrue(Glutton.isSound(reply), reply::toString);
    }
  }
}
