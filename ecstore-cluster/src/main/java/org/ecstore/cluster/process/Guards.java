package org.ecstore.cluster.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DurableFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The small parent processes of a cluster's nodes, which start a node again that has ended by
 * itself; one that is killed leaves its node running. They are shells: {@code guard.sh} says what
 * they do. A file in the node's directory tells a guard that its node is to stay down.
 */
final class Guards {
  private static final Logger LOG = LoggerFactory.getLogger(Guards.class);
  private static final String SCRIPT = "guard.sh";

  /** The last thing that a guard says of a node that need not be tried again. */
  private static final String STAYS_DOWN = "stays down";

  private static final Duration END_WITHIN = Duration.ofSeconds(10);

  /** From the last line that a node prints until its guard has seen that it ended. */
  private static final Duration LAST_WORDS_WITHIN = Duration.ofSeconds(5);

  /** Times of files of one moment are so far apart at most. */
  private static final long CLOCK_MILLIS = 1_000;

  private final ClusterFiles files;

  /** Those of a directory; nothing is read yet. */
  Guards(ClusterFiles files) {
    this.files = files;
  }

  private Path script(int node) {
    return files.home(node).resolve(SCRIPT);
  }

  private Path downMark(int node) {
    return files.home(node).resolve("down");
  }

  private Path pidFile(int node) {
    return files.home(node).resolve("guard.pid");
  }

  private Path log(int node) {
    return files.home(node).resolve("guard.log");
  }

  /** What comes before the command of a node that shall have a guard. */
  List<String> command(int node) throws IOException {
    try (InputStream in = Guards.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new IllegalStateException("there is no " + SCRIPT + " on the class path");
      }
      // One that runs reads on in the file that it has.
      DurableFiles.replace(files.home(node), SCRIPT, Bytes.wrap(in.readAllBytes()));
    }
    return List.of("sh", script(node).toString(), Integer.toString(node));
  }

  /** Starts the guard of a node, and notes it. */
  OwnProcess start(int node, ProcessBuilder builder) throws IOException {
    return OwnProcess.start(builder, pidFile(node), script(node).toString());
  }

  /** A node that is started now has none. */
  void forget(int node) throws IOException {
    Files.deleteIfExists(pidFile(node));
  }

  /** The guard of a node, if it runs. */
  Optional<OwnProcess> process(int node) throws IOException {
    return OwnProcess.find(pidFile(node), script(node).toString());
  }

  /** From now on a node that ends stays down. Before its process is looked for, or signalled. */
  void wantDown(int node) throws IOException, InterruptedException {
    try {
      Files.write(downMark(node), new byte[0]);
    } catch (IOException e) {
      // On a full disk nodes have to be ended all the same: then the guard goes first.
      LOG.warn(
          "node {} cannot be marked as wanted down, its guard is ended: {}", node, e.toString());
      Optional<OwnProcess> guard = process(node);
      if (guard.isPresent()) {
        guard.get().signal("KILL");
        guard.get().awaitEnd(END_WITHIN);
      }
    }
  }

  /** Whether a node is to stay down once it ends. */
  boolean isWantedDown(int node) {
    return Files.exists(downMark(node));
  }

  /** Takes {@link #wantDown} back. */
  void wantUp(int node) throws IOException {
    Files.deleteIfExists(downMark(node));
  }

  /** Waits until the guard of a node that is wanted down has ended, and ends one that does not. */
  void awaitEnd(int node) throws IOException, InterruptedException {
    Optional<OwnProcess> guard = process(node);
    if (guard.isEmpty()) {
      return;
    }
    guard.get().signal("CONT");
    if (!guard.get().awaitEnd(END_WITHIN)) {
      guard.get().signal("KILL");
      guard.get().awaitEnd(END_WITHIN);
    }
  }

  /** What the guard of a node has to say of it: that it ended by itself, and how. */
  List<String> said(int node) throws IOException {
    return ClusterFiles.lastLines(log(node), Integer.MAX_VALUE);
  }

  /**
   * What has to be said of the guard of a node, where all is not as it should be.
   *
   * @param runs whether the node does
   */
  Optional<String> trouble(int node, boolean runs) throws IOException {
    if (Files.exists(downMark(node)) || !Files.exists(pidFile(node))) {
      return Optional.empty();
    }
    boolean watched = process(node).isPresent();
    if (runs) {
      return watched
          ? Optional.empty()
          : Optional.of(
              "its guard has ended, so nothing starts it again if it ends by itself: \"cluster stop"
                  + " %1$d\" and \"cluster start %1$d\" give it another".formatted(node));
    }
    return ClusterFiles.lastLines(log(node), 1).stream()
        .filter(said -> watched || said.contains(STAYS_DOWN))
        .map(said -> "its guard said last: " + said + lastWords(node))
        .findFirst();
  }

  /** What a node printed as it ended, if its guard spoke of that end right after it. */
  private String lastWords(int node) {
    Path output = files.output(node);
    try {
      List<String> last = ClusterFiles.lastLines(output, 1);
      if (last.isEmpty()) {
        return "";
      }
      FileTime printed = Files.getLastModifiedTime(output);
      FileTime said = Files.getLastModifiedTime(log(node));
      long later = said.toMillis() - printed.toMillis();
      boolean isOfThatEnd = later > -CLOCK_MILLIS && later < LAST_WORDS_WITHIN.toMillis();
      return isOfThatEnd ? "; the node: " + last.getFirst() : "";
    } catch (IOException e) {
      LOG.debug("what node {} printed cannot be read", node, e);
      return "";
    }
  }
}
