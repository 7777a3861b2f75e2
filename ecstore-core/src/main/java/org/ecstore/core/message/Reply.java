package org.ecstore.core.message;

/** The answer to a request message: names the call it answers. */
public interface Reply extends NodeMessage {
  /** The number of the call, chosen by the asker, unique within its incarnation. */
  long call();
}
