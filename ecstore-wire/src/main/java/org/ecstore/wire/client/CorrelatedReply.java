package org.ecstore.wire.client;

/** A reply and the number of the request it answers. */
public record CorrelatedReply(long correlation, ClientReply reply) {}
