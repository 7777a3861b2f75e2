package org.ecstore.tools.torture;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.attack.Intruders;
import org.ecstore.tools.torture.workload.WorkloadKind;
import org.ecstore.verify.check.Promise;

/**
 * What a torture run is.
 *
 * @param nodes to begin with
 * @param mix hosts with nodes of several kinds of engines; absent if all have the usual one
 * @param replication copies of ranges
 * @param time how long clients work and nodes are hurt
 * @param faultInterval from one fault to the next, on average
 * @param loseQuorum whether more nodes may be away than the cluster bears
 * @param intruders who attacks the nodes meanwhile
 * @param guarded whether processes are started again that have ended by themselves
 * @param directory of the cluster and its logs
 * @param history the file to write
 */
public record TortureSettings(
    int nodes,
    Optional<EngineMix> mix,
    ReplicationSettings replication,
    int clients,
    Duration time,
    WorkloadKind workload,
    Set<FaultKind> faults,
    Duration faultInterval,
    boolean loseQuorum,
    Set<Intruders.Role> intruders,
    boolean guarded,
    Isolation isolation,
    Start start,
    long seed,
    Path directory,
    Path history) {
  public TortureSettings {
    faults = Set.copyOf(faults);
    intruders = Set.copyOf(intruders);
  }

  /** What the history is held to; it says itself how fresh each snapshot was to be. */
  public Promise promise() {
    return new Promise(isolation, ReadLevel.STRONG);
  }
}
