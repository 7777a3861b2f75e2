package org.ecstore.cluster.provision;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.port.Provisioner;
import org.ecstore.id.NodeId;
import org.ecstore.server.print.LogText;

/**
 * Starts and stops nodes by a program of the operator: {@code COMMAND add N} and {@code COMMAND
 * remove N}, N the number of the node, each run on a thread of its own. Its environment is that of
 * this process without what begins with {@code ECSTORE_}, which is about this node, and with
 *
 * <pre>
 *   ECSTORE_ACTION   the number of the controller's action, the same each time it is told again
 *   ECSTORE_NODE     the number of the node
 *   ECSTORE_CLUSTER  the name of the cluster
 * </pre>
 *
 * <p>It has no input. What it prints goes to the node's log when it has ended, the last 4 KiB of
 * it. It ends with 0 if it has done what it was told; what comes of that shows in the members of
 * the cluster alone. There is one run at a time for a node and {@link Bounds#runsMax} for all; an
 * order to add beyond that, or one that has just been followed, is not followed: it will be told
 * again. One to remove, which need not be, waits for the end of a run: what a program has begun
 * that hangs is taken back once that is killed. What a program leaves running goes on after its
 * end, and has to print elsewhere; what still runs when it takes too long, or when this node ends,
 * is killed with it. Safe for use by several threads.
 */
public final class CommandProvisioner implements Provisioner, AutoCloseable {
  private static final String PREFIX = "ECSTORE_";
  private static final String ADD = "add";
  private static final String REMOVE = "remove";
  private static final int TAIL_BYTES = 4 << 10;
  private static final int READS_MAX = 256;
  private static final int LINES_MAX = 40;
  private static final int WORDS_MAX = 120;
  private static final int REASON_MAX = 200;
  private static final int WAITING_MAX = 64;
  private static final Duration LONG_RUN = Duration.ofSeconds(10);
  private static final long LOOK_MILLIS = 20;
  private static final int KILL_ROUNDS = 3;
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

  /**
   * What runs may take.
   *
   * @param killAfter how long one may last
   * @param quiet for how long an order is not followed again once it was, with success
   * @param runsMax at a time
   */
  record Bounds(Duration killAfter, Duration quiet, int runsMax) {
    /** As nodes have it. */
    static final Bounds DEFAULT = new Bounds(Duration.ofMinutes(5), Duration.ofSeconds(10), 4);
  }

  private record Order(String verb, long action, NodeId node) {
    /** As people read it: {@code add 4}. */
    String words() {
      return verb + " " + node.value();
    }
  }

  private final CommandWords command;
  private final String cluster;
  private final OperatorLog log;
  private final Bounds bounds;

  private record Run(Order order, long begunNanos, Thread thread) {}

  /** Runs that have not ended, by their nodes; guarded by this. */
  private final Map<NodeId, Run> running = new LinkedHashMap<>();

  /** Orders to remove that could not be followed at once, by their nodes; guarded by this. */
  private final Map<NodeId, Order> waiting = new LinkedHashMap<>();

  /** Orders that were followed, with the time; guarded by this. */
  private final Map<String, Long> followed = new HashMap<>();

  /** Guarded by this. */
  private boolean closed;

  /** Guarded by this. */
  private String trouble = "";

  /**
   * One that runs nothing yet.
   *
   * @param cluster its name
   * @param log hears what is run, and what it prints
   */
  public CommandProvisioner(CommandWords command, String cluster, OperatorLog log) {
    this(command, cluster, log, Bounds.DEFAULT);
  }

  CommandProvisioner(CommandWords command, String cluster, OperatorLog log, Bounds bounds) {
    this.command = command;
    this.cluster = cluster;
    this.log = log;
    this.bounds = bounds;
  }

  @Override
  public boolean isThere() {
    return true;
  }

  /** The command, what has run for long, and what went wrong last. */
  @Override
  public synchronized String words() {
    StringBuilder words = new StringBuilder(cut(command.text(), WORDS_MAX));
    for (Run run : running.values()) {
      Duration time = Duration.ofNanos(System.nanoTime() - run.begunNanos());
      if (time.compareTo(LONG_RUN) >= 0) {
        words.append("; %s has run for %d s".formatted(run.order().words(), time.toSeconds()));
      }
    }
    return trouble.isEmpty() ? words.toString() : words.append("; ").append(trouble).toString();
  }

  /** The beginning is what tells one command from another. */
  private static String cut(String text, int lettersMax) {
    return text.length() <= lettersMax ? text : text.substring(0, lettersMax) + "...";
  }

  @Override
  public void add(long action, NodeId node) {
    order(new Order(ADD, action, node));
  }

  @Override
  public void remove(long action, NodeId node) {
    order(new Order(REMOVE, action, node));
  }

  private synchronized void order(Order order) {
    long now = System.nanoTime();
    followed.values().removeIf(ended -> now - ended > bounds.quiet().toNanos());
    Run run = running.get(order.node());
    boolean mayRun = run == null && running.size() < bounds.runsMax();
    if (closed || (mayRun && followed.containsKey(order.words()))) {
      return;
    }
    boolean isRun = run != null && run.order().verb().equals(order.verb());
    if (mayRun) {
      start(order);
    } else if (!isRun && order.verb().equals(REMOVE) && waiting.size() < WAITING_MAX) {
      waiting.put(order.node(), order);
    }
  }

  private void start(Order order) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("provisioner-" + order.node().value())
            .unstarted(() -> follow(order));
    running.put(order.node(), new Run(order, System.nanoTime(), thread));
    boolean isStarted = false;
    try {
      thread.start();
      isStarted = true;
    } finally {
      if (!isStarted) {
        running.remove(order.node());
      }
    }
  }

  private void follow(Order order) {
    // What it is unless something else is known: an error of the machine's, as too little memory.
    String failure = "failed";
    try {
      failure = run(order);
    } catch (InterruptedException _) {
      // Closed: what ran was killed, and the node that leads next tells the order again.
      Thread.currentThread().interrupt();
      failure = "was killed, as this node ends";
    } catch (RuntimeException e) {
      failure = "failed: " + e;
    } finally {
      ended(order, failure);
    }
    if (!failure.isEmpty()) {
      log.warn(order.words() + " " + failure);
    }
  }

  private synchronized void ended(Order order, String failure) {
    running.remove(order.node());
    if (failure.isEmpty()) {
      followed.put(order.words(), System.nanoTime());
    }
    trouble = failure.isEmpty() ? "" : cut(order.words() + " " + failure, REASON_MAX);
    Optional<Order> next =
        waiting.values().stream().filter(one -> !running.containsKey(one.node())).findFirst();
    if (!closed && next.isPresent()) {
      waiting.remove(next.get().node());
      start(next.get());
    }
  }

  /** Returns what went wrong, as {@code ended with 1: no room}; nothing if it ended with 0. */
  private String run(Order order) throws InterruptedException {
    log.info(
        order.words() + " is run for action " + order.action() + ": " + LogText.of(command.text()));
    Process process;
    try {
      process = builder(order).start();
    } catch (IOException e) {
      return "did not start: " + LogText.of(String.valueOf(e.getMessage()));
    }
    OutputTail tail = new OutputTail(TAIL_BYTES);
    boolean isKilled;
    try {
      isKilled = !awaitEnd(process, tail);
    } finally {
      // Its output is closed to what it has left running, which then has to print elsewhere.
      end(process);
    }
    List<String> lines = tail.lines();
    say(order, lines, tail.isCut());
    String last = lines.isEmpty() ? "" : ": " + LogText.of(lines.getLast());
    if (isKilled) {
      return "was killed after " + text(bounds.killAfter()) + last;
    }
    return process.exitValue() == 0 ? "" : "ended with " + process.exitValue() + last;
  }

  private static String text(Duration time) {
    return time.toSeconds() >= 60 && time.toSecondsPart() == 0
        ? time.toMinutes() + " min"
        : time.toMillis() / 1000.0 + " s";
  }

  private ProcessBuilder builder(Order order) {
    List<String> words = new ArrayList<>(command.words());
    words.add(order.verb());
    words.add(Long.toString(order.node().value()));
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectInput(new File("/dev/null")).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    // What is set for this node is not meant for another one.
    environment.keySet().removeIf(name -> name.startsWith(PREFIX));
    environment.put(PREFIX + "ACTION", Long.toString(order.action()));
    environment.put(PREFIX + "NODE", Long.toString(order.node().value()));
    environment.put(PREFIX + "CLUSTER", cluster);
    return builder;
  }

  /**
   * Waits until it has ended or has to be killed; returns whether it has ended. It never waits for
   * output: a process that it left running may hold that open for ever.
   */
  private boolean awaitEnd(Process process, OutputTail tail) throws InterruptedException {
    InputStream output = process.getInputStream();
    byte[] buffer = new byte[TAIL_BYTES];
    long begun = System.nanoTime();
    while (true) {
      boolean hasEnded = !process.isAlive();
      boolean isLate = System.nanoTime() - begun > bounds.killAfter().toNanos();
      // What is there when it has ended is all; of what goes on printing a part is enough.
      for (int i = 0; i < READS_MAX && read(output, buffer, tail); i++) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
      if (hasEnded || isLate) {
        return hasEnded;
      }
      process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Takes what is there; returns whether there was anything. */
  private static boolean read(InputStream output, byte[] buffer, OutputTail tail) {
    try {
      int there = Math.min(output.available(), buffer.length);
      int count = there == 0 ? 0 : output.read(buffer, 0, there);
      if (count > 0) {
        tail.add(buffer, count);
      }
      return count > 0;
    } catch (IOException _) {
      // It ends meanwhile: there is nothing more.
      return false;
    }
  }

  private void say(Order order, List<String> lines, boolean isCut) {
    List<String> last = lines.subList(Math.max(0, lines.size() - LINES_MAX), lines.size());
    if (isCut || last.size() < lines.size()) {
      log.info(order.words() + " has printed more than what follows");
    }
    last.forEach(line -> log.info(order.words() + ": " + LogText.of(line)));
  }

  /** Kills what still runs, with its descendants, and lets go of what it prints. */
  private static void end(Process process) {
    if (process.isAlive()) {
      kill(process.toHandle());
    }
    try {
      process.getInputStream().close();
    } catch (IOException _) {
      // It was only read from.
    }
  }

  /** A parent goes before its children, which are looked for first, so that it makes no more. */
  private static void kill(ProcessHandle root) {
    List<ProcessHandle> left = List.of(root);
    for (int round = 0; round < KILL_ROUNDS && !left.isEmpty(); round++) {
      List<ProcessHandle> found =
          left.stream().flatMap(one -> Stream.concat(Stream.of(one), one.descendants())).toList();
      found.forEach(ProcessHandle::destroyForcibly);
      left = found.stream().filter(ProcessHandle::isAlive).toList();
    }
  }

  /** Kills what runs; no order is followed any more. */
  @Override
  public void close() {
    List<Thread> left;
    synchronized (this) {
      closed = true;
      left = running.values().stream().map(Run::thread).toList();
    }
    left.forEach(Thread::interrupt);
    long deadline = System.nanoTime() + CLOSE_WITHIN.toNanos();
    for (Thread thread : left) {
      try {
        thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
