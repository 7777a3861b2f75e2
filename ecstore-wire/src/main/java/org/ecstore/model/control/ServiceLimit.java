package org.ecstore.model.control;

import java.util.List;

/**
 * What an application may have of the cluster.
 *
 * @param tables whose operations count; none: those of clients that say that they are it
 * @param perSecond operations a second of all nodes together, beside a tenth of a second's that may
 *     be saved up at each; 0 if there is no such limit
 * @param promisedPerSecond operations a second that are owed to it: where a node has too much to
 *     do, what is beyond them is refused first; 0 if nothing is owed
 */
public record ServiceLimit(
    String application, List<String> tables, long perSecond, long promisedPerSecond) {
  /** Of all applications together. */
  public static final int LIMITS_MAX = 64;

  public ServiceLimit {
    tables = List.copyOf(tables);
  }
}
