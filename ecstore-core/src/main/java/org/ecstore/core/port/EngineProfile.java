package org.ecstore.core.port;

/**
 * What an engine is good at (rule 23, MyCassandra §3.2).
 *
 * @param name as in a configuration file
 */
public record EngineProfile(
    String name, boolean fastWrites, boolean fastReads, boolean inMemory, boolean persistent) {
  /**
   * Whose copies are read first (MyCassandra §3.2): 0 for engines that read well, 1 for those in
   * memory, whose room is dear and which take the writes, 2 for those made for writing. One that
   * does both well on disks reads well.
   */
  public int readRank() {
    return inMemory ? 1 : fastReads ? 0 : 2;
  }
}
