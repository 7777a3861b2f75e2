package org.ecstore.protocol;

/** A request and the number by which its reply is found; numbers are the client's own choice. */
public record CorrelatedRequest(long correlation, ClientRequest request) {}
