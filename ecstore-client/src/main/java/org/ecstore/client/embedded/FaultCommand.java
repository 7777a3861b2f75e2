package org.ecstore.client.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.ecstore.id.NodeId;

/** What is told to a {@link FaultyCluster} in another process, and its answer: a line each. */
public final class FaultCommand {
  /** No line has more: a verb, and the nodes of a cluster. */
  private static final int WORDS_MAX = 1 + FaultyCluster.NODES_MAX;

  private static final String DONE = "done ";
  private static final String FAILED = "failed ";

  private enum Verb {
    LOOK,
    KILL,
    START,
    PAUSE,
    RESUME,
    CUT_OFF,
    SLOW
  }

  private FaultCommand() {}

  /** To a cluster whose process takes these lines. */
  public interface Line {
    /**
     * Sends a line and returns the one that answers it.
     *
     * @throws org.ecstore.client.error.UnavailableException if there is none
     */
    String ask(String line);

    /** Ends the process. */
    void close();
  }

  /**
   * Does what a line says.
   *
   * @return the line that answers it
   */
  public static String obey(FaultyCluster cluster, String line) {
    try {
      return DONE + obeyOne(cluster, line);
    } catch (RuntimeException e) {
      return FAILED + String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    }
  }

  private static String obeyOne(FaultyCluster cluster, String line) {
    String[] words = line.strip().split(" ", WORDS_MAX + 1);
    if (words.length > WORDS_MAX) {
      throw new IllegalArgumentException("too long a command: " + line);
    }
    List<Long> numbers = Arrays.stream(words).skip(1).map(Long::parseLong).toList();
    List<NodeId> nodes = new ArrayList<>();
    numbers.forEach(number -> nodes.add(new NodeId(number)));
    switch (Verb.valueOf(words[0])) {
      case LOOK -> {
        return FaultyNode.format(cluster.look());
      }
      case KILL -> cluster.kill(nodes.get(0));
      case START -> cluster.start(nodes.get(0));
      case PAUSE -> cluster.pause(nodes.get(0));
      case RESUME -> cluster.resume(nodes.get(0));
      case CUT_OFF -> cluster.cutOff(new TreeSet<>(nodes));
      case SLOW -> cluster.slow(nodes.get(0), nodes.get(1), Duration.ofMillis(numbers.get(2)));
    }
    return "";
  }

  /** The cluster of another process. What that refuses is an {@link IllegalStateException}. */
  public static FaultyCluster over(Line process) {
    return new Told(process);
  }

  private record Told(Line process) implements FaultyCluster {
    private String tell(Verb verb, List<Long> numbers) {
      String words =
          numbers.stream().map(number -> " " + number).collect(Collectors.joining("", "", ""));
      String answer = process.ask(verb + words);
      if (answer.startsWith(DONE)) {
        return answer.substring(DONE.length());
      }
      throw new IllegalStateException(
          answer.startsWith(FAILED) ? answer.substring(FAILED.length()) : answer);
    }

    private void tell(Verb verb, NodeId node) {
      tell(verb, List.of(node.value()));
    }

    @Override
    public List<FaultyNode> look() {
      return FaultyNode.parse(tell(Verb.LOOK, List.of()));
    }

    @Override
    public void kill(NodeId node) {
      tell(Verb.KILL, node);
    }

    @Override
    public void start(NodeId node) {
      tell(Verb.START, node);
    }

    @Override
    public void pause(NodeId node) {
      tell(Verb.PAUSE, node);
    }

    @Override
    public void resume(NodeId node) {
      tell(Verb.RESUME, node);
    }

    @Override
    public void cutOff(Set<NodeId> apart) {
      tell(Verb.CUT_OFF, apart.stream().map(NodeId::value).toList());
    }

    @Override
    public void slow(NodeId from, NodeId to, Duration delay) {
      tell(Verb.SLOW, List.of(from.value(), to.value(), delay.toMillis()));
    }

    @Override
    public void close() {
      process.close();
    }
  }
}
