package org.ecstore.client.embedded;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.ecstore.id.NodeId;

/**
 * A node of a cluster for tests, as it was at a moment.
 *
 * @param address where clients reach it, or did when it ran last: {@code host:port}
 * @param sequences whether it leads, as far as it knows
 * @param trouble what it waits for, or why it has failed, for people; empty if there is nothing to
 *     say
 */
public record FaultyNode(
    NodeId id, String address, State state, boolean sequences, String trouble) {
  /** What a node does. */
  public enum State {
    /** It does not run: it was killed. */
    DOWN,
    /** It runs, and does not serve all that it has yet. */
    STARTS,
    /** It serves. */
    SERVES,
    /** It stands still. */
    PAUSED,
    /** It has ended by itself. */
    FAILED
  }

  private static final String FIELD = "|";
  private static final String NODE = ";";
  private static final int FIELDS = 5;

  /** In one line. */
  static String format(List<FaultyNode> nodes) {
    return nodes.stream()
        .map(
            node ->
                String.join(
                    FIELD,
                    String.valueOf(node.id.value()),
                    node.address,
                    node.state.name(),
                    String.valueOf(node.sequences),
                    node.trouble.replaceAll("[|;\\s]+", " ")))
        .collect(Collectors.joining(NODE));
  }

  /**
   * From that line.
   *
   * @throws IllegalArgumentException if it is none
   */
  static List<FaultyNode> parse(String line) {
    return Arrays.stream(line.split(NODE, -1)).map(FaultyNode::parseOne).toList();
  }

  private static FaultyNode parseOne(String text) {
    String[] fields = text.split("\\|", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("no node: " + text);
    }
    return new FaultyNode(
        new NodeId(Long.parseLong(fields[0])),
        fields[1],
        State.valueOf(fields[2]),
        Boolean.parseBoolean(fields[3]),
        fields[4]);
  }
}
