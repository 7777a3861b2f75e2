package org.ecstore.core.port;

/**
 * What an engine is good at (rule 23, MyCassandra §3.2).
 *
 * @param name as in a configuration file
 */
public record EngineProfile(
    String name, boolean fastWrites, boolean fastReads, boolean inMemory, boolean persistent) {}
