package org.ecstore.core.message;

/** A message from node to node. Each stratum declares its own as a sealed family of records. */
public interface NodeMessage {
  /** About how many bytes of memory it holds beside a little. */
  default long weight() {
    return 0;
  }
}
