package org.ecstore.core.port;

/**
 * A request of a client connection, to be answered once: which connection, and the correlation id.
 */
public record ClientCall(long connection, long correlation) {}
