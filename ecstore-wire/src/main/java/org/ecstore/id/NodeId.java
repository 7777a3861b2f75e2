package org.ecstore.id;

/** A node of the cluster: an event loop with an address of its own. */
public record NodeId(long value) implements Comparable<NodeId> {
  public NodeId {
    if (value < 0) {
      throw new IllegalArgumentException("negative NodeId: " + value);
    }
  }

  @Override
  public int compareTo(NodeId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "n" + value;
  }
}
