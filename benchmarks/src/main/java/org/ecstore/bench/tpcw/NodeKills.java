package org.ecstore.bench.tpcw;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.cluster.process.ProcessCluster;
import org.jspecify.annotations.Nullable;

/**
 * Kills nodes of a cluster under load (SIGKILL), one at a time: the one that gives out commit
 * numbers and one that does not in turns. Each is started again, and serves, before the next.
 */
public final class NodeKills implements AutoCloseable {
  private final Victims cluster;
  private final Duration every;
  private final Consumer<String> say;
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread;
  private volatile int kills;
  private volatile int sequencers;
  private volatile @Nullable Exception failure;

  private NodeKills(Victims cluster, Duration every, Consumer<String> say) {
    this.cluster = cluster;
    this.every = every;
    this.say = say;
    this.thread = Thread.ofPlatform().name("node-kills").unstarted(this::run);
  }

  /** The nodes of a cluster. */
  interface Victims {
    List<Integer> nodes() throws IOException;

    Optional<Integer> sequencer() throws IOException;

    void kill(int node) throws IOException, InterruptedException;

    /** Starts one again, and returns once it serves. */
    void start(int node) throws IOException, InterruptedException;
  }

  private record Processes(ProcessCluster cluster) implements Victims {
    @Override
    public List<Integer> nodes() throws IOException {
      return cluster.nodes();
    }

    @Override
    public Optional<Integer> sequencer() throws IOException {
      return cluster.sequencer();
    }

    @Override
    public void kill(int node) throws IOException, InterruptedException {
      cluster.kill(node);
    }

    @Override
    public void start(int node) throws IOException, InterruptedException {
      cluster.start(node);
      cluster.awaitServing(node);
    }
  }

  /**
   * Begins; the first node is killed after a while. Where a node cannot be killed or started again
   * that is said at once, and no other is killed.
   *
   * @param every how long nodes run between one that serves again and the next kill
   */
  public static NodeKills begin(ProcessCluster cluster, Duration every, Consumer<String> say) {
    return begin(new Processes(cluster), every, say);
  }

  static NodeKills begin(Victims cluster, Duration every, Consumer<String> say) {
    NodeKills kills = new NodeKills(cluster, every, say);
    kills.thread.start();
    return kills;
  }

  private void run() {
    try {
      while (!ending.await(every.toNanos(), TimeUnit.NANOSECONDS)) {
        killOne();
      }
    } catch (IOException | RuntimeException e) {
      failure = e;
      say.accept("no node is killed any more: " + why(e));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // Written by this thread only.
  private void killOne() throws IOException, InterruptedException {
    Optional<Integer> sequencer = cluster.sequencer();
    List<Integer> all = cluster.nodes();
    int node = all.get(kills % all.size());
    if (sequencer.isPresent() && (kills % 2 == 0) != sequencer.get().equals(node)) {
      node = kills % 2 == 0 ? sequencer.get() : all.get((kills + 1) % all.size());
    }
    boolean sequences = sequencer.equals(Optional.of(node));
    say.accept("killing node " + node + (sequences ? ", which gives out commit numbers" : ""));
    cluster.kill(node);
    kills++;
    sequencers += sequences ? 1 : 0;
    cluster.start(node);
  }

  private static String why(Exception failure) {
    return "one could not be killed or started again: " + failure.getMessage();
  }

  /** How many were killed so far. */
  public int kills() {
    return kills;
  }

  /** How many of them gave out commit numbers. */
  public int ofSequencers() {
    return sequencers;
  }

  /**
   * Kills no more, and waits until the last one serves again.
   *
   * @throws IllegalStateException if a node could not be killed or started
   */
  @Override
  public void close() {
    ending.countDown();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    Exception thrown = failure;
    if (thrown != null) {
      throw new IllegalStateException(why(thrown), thrown);
    }
  }
}
