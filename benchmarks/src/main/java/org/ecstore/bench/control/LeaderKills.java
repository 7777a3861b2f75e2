package org.ecstore.bench.control;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Kills the node that leads (SIGKILL) at some moments of a phase, and starts it again after a
 * while.
 */
final class LeaderKills implements AutoCloseable {
  private static final Duration DOWN = Duration.ofSeconds(5);
  private static final long LOOK_MILLIS = 200;
  private static final Duration LEADER_WITHIN = Duration.ofSeconds(10);
  private static final double MILLIS = 1e3;

  private final RunCluster cluster;
  private final List<Duration> moments;
  private final Duration down;
  private final DoubleSupplier seconds;
  private final Consumer<String> say;
  private final long begun = System.nanoTime();
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread;

  /** Guarded by this. */
  private final List<Killed> kills = new ArrayList<>();

  private LeaderKills(
      RunCluster cluster,
      List<Duration> moments,
      Duration down,
      DoubleSupplier seconds,
      Consumer<String> say) {
    this.cluster = cluster;
    this.moments = List.copyOf(moments);
    this.down = down;
    this.seconds = seconds;
    this.say = say;
    this.thread = Thread.ofPlatform().name("leader-kills").unstarted(this::run);
  }

  /**
   * A kill.
   *
   * @param atMillis when, since 1970
   * @param seconds the same since the first phase began
   * @param node that led; 0 if none was found
   * @param trouble why it was not killed, or not started again; empty if it was
   */
  record Killed(long atMillis, double seconds, int node, Optional<String> trouble) {
    ObjectNode json() {
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("at", Instant.ofEpochMilli(atMillis).toString());
      json.put("seconds", Math.round(seconds * MILLIS) / MILLIS);
      json.put("node", node);
      trouble.ifPresent(why -> json.put("trouble", why));
      return json;
    }
  }

  /**
   * Begins.
   *
   * @param moments from now
   * @param seconds since the first phase began
   * @param say hears of each kill
   */
  static LeaderKills begin(
      RunCluster cluster, List<Duration> moments, DoubleSupplier seconds, Consumer<String> say) {
    return begin(cluster, moments, DOWN, seconds, say);
  }

  /**
   * As above.
   *
   * @param down how long a node stays down
   */
  static LeaderKills begin(
      RunCluster cluster,
      List<Duration> moments,
      Duration down,
      DoubleSupplier seconds,
      Consumer<String> say) {
    LeaderKills kills = new LeaderKills(cluster, moments, down, seconds, say);
    kills.thread.start();
    return kills;
  }

  private void run() {
    try {
      for (Duration moment : moments) {
        long left = begun + moment.toNanos() - System.nanoTime();
        if (ending.await(Math.max(0, left), TimeUnit.NANOSECONDS)) {
          return;
        }
        kill();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void kill() throws InterruptedException {
    long atMillis = System.currentTimeMillis();
    double at = seconds.getAsDouble();
    int node = 0;
    Optional<String> trouble = Optional.empty();
    try {
      node = leader();
      say.accept("killing node " + node + ", which leads");
      cluster.kill(node);
      Thread.sleep(down);
      cluster.launch(node);
    } catch (IOException | RuntimeException e) {
      trouble = Optional.of(String.valueOf(e.getMessage()));
      say.accept("it was not killed and started again: " + e.getMessage());
    }
    synchronized (this) {
      kills.add(new Killed(atMillis, at, node, trouble));
    }
  }

  private int leader() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LEADER_WITHIN.toNanos();
    Optional<Integer> leader = cluster.leader();
    while (leader.isEmpty() && System.nanoTime() - deadline < 0) {
      Thread.sleep(LOOK_MILLIS);
      leader = cluster.leader();
    }
    return leader.orElseThrow(() -> new IOException("no node says that it leads"));
  }

  /** Those there were so far. */
  synchronized List<Killed> kills() {
    return List.copyOf(kills);
  }

  /** Kills no more, and waits until the last one is started again. */
  @Override
  public void close() {
    ending.countDown();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
