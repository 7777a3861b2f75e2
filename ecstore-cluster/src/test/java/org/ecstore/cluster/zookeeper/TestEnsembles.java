package org.ecstore.cluster.zookeeper;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;
import org.ecstore.cluster.zookeeper.server.EnsembleMember;

/** Ensembles on this machine. */
public final class TestEnsembles {
  private TestEnsembles() {}

  /**
   * One whose ports no process listens on, and that no outgoing connection is given: its members
   * may be ended and started again beside other tests.
   */
  public static List<EnsembleMember> of(int members) {
    return of(members, EmbeddedZooKeeper.LOOPBACK);
  }

  /** As above, on another address of this machine. */
  public static List<EnsembleMember> of(int members, String host) {
    FreePorts ports = new FreePorts();
    List<EnsembleMember> ensemble = new ArrayList<>();
    for (int id = 1; id <= members; id++) {
      ensemble.add(new EnsembleMember(id, host, ports.next(), ports.next(), ports.next()));
    }
    return ensemble;
  }
}
