package org.ecstore.protocol;

/**
 * A request, the number by which its reply is found, and what it says beside. Numbers are the
 * client's own choice.
 */
public record CorrelatedRequest(long correlation, ClientRequest request, RequestOptions options) {
  /** One that says nothing beside. */
  public CorrelatedRequest(long correlation, ClientRequest request) {
    this(correlation, request, RequestOptions.NONE);
  }
}
