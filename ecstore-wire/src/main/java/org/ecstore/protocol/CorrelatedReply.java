package org.ecstore.protocol;

/** A reply and the number of the request it answers. */
public record CorrelatedReply(long correlation, ClientReply reply) {}
