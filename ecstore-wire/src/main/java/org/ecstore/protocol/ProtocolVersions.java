package org.ecstore.protocol;

import java.util.Optional;

/**
 * The versions of the client protocol that one side speaks, from a lowest to a highest. A client
 * says its own in its greeting; the node answers with the highest that both speak, and what either
 * sends from then on is of that version. Rows of {@link RequestTable} and {@link ReplyTable} say
 * since which version a message is; optional fields need no version, as unknown ones are skipped.
 *
 * @param lowest not above the highest
 */
public record ProtocolVersions(int lowest, int highest) {
  /** What this code speaks, as a client and as a node. */
  public static final ProtocolVersions SPOKEN = new ProtocolVersions(1, 1);

  /** The highest version that both speak; absent if there is none. */
  public Optional<Integer> highestCommon(ProtocolVersions other) {
    int common = Math.min(highest, other.highest);
    return common >= Math.max(lowest, other.lowest) ? Optional.of(common) : Optional.empty();
  }

  /** Whether a version is one of these. */
  public boolean contains(int version) {
    return lowest <= version && version <= highest;
  }

  /** What a node says to a client that speaks none of its versions. */
  public String refusalOf(ProtocolVersions client) {
    return "this node speaks protocol " + this + ", the client " + client;
  }

  @Override
  public String toString() {
    return lowest == highest ? "version " + highest : "versions " + lowest + " to " + highest;
  }
}
