package org.ecstore.cluster.bookkeeper.bookie;

import java.nio.file.Path;

/**
 * A bookie that a node hosts.
 *
 * @param directory of its journal and ledgers, for ever of this bookie only
 * @param id of the bookie in its cluster, for ever of this directory only
 * @param host to listen on; others are told the same
 * @param port to listen on; 0 for any
 * @param sessionMillis after which a bookie that was killed is no longer counted
 * @param collectMillis between two looks for deleted ledgers
 * @param diskUsageMax how full the disk may be, of 1, before the bookie takes no more writes
 */
public record BookieSettings(
    Path directory,
    String id,
    String host,
    int port,
    int sessionMillis,
    int collectMillis,
    float diskUsageMax) {
  /** Where it listens by default. */
  public static final String LOOPBACK = "127.0.0.1";

  public BookieSettings {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("no port: " + port);
    }
    if (sessionMillis < 1 || collectMillis < 1000 || diskUsageMax <= 0 || diskUsageMax >= 1) {
      throw new IllegalArgumentException("a limit is out of bounds");
    }
  }

  /** Sessions of 4 s, a look for deleted ledgers each minute, a disk up to 98% full. */
  public static BookieSettings of(Path directory, String id, String host, int port) {
    return new BookieSettings(directory, id, host, port, 4_000, 60_000, 0.98f);
  }

  /** The same with sessions of another length. */
  public BookieSettings withSessionMillis(int millis) {
    return new BookieSettings(directory, id, host, port, millis, collectMillis, diskUsageMax);
  }

  /** The same with another limit of the disk. */
  public BookieSettings withDiskUsageMax(float usage) {
    return new BookieSettings(directory, id, host, port, sessionMillis, collectMillis, usage);
  }
}
