package org.ecstore.client.observe;

/** What a store does for its user, as far as it is told of. */
public enum OperationKind {
  /** Work in a transaction, with all its tries and their commits. */
  TRANSACT("transact"),
  /** Work on a snapshot, with all its tries. */
  READ("read"),
  /** Keys are read by their names, of one table as a rule: with all requests that it takes. */
  GET("get"),
  /** A page of a scan, or of an aggregation, is waited for. */
  SCAN("scan"),
  /** One commit, until its outcome is known. */
  COMMIT("commit"),
  /** A key is read by a quorum. */
  QUORUM_GET("quorum-get"),
  /** A key is written by a quorum: its commit, and the wait for the copies. */
  QUORUM_PUT("quorum-put");

  private final String text;

  OperationKind(String text) {
    this.text = text;
  }

  /** As it is called in metrics and traces. */
  public String text() {
    return text;
  }

  /** Whether it is requests to nodes, and no work of the application's around them. */
  public boolean isRequest() {
    return this != TRANSACT && this != READ;
  }
}
