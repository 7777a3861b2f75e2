package org.ecstore.cluster.zookeeper;

import java.util.Optional;
import java.util.function.Supplier;
import org.ecstore.core.port.OperatorLog;

/** Parts of coordination of which one is not as it should be. */
final class OtherParts {
  private OtherParts() {}

  /** Makes what has the values. */
  interface ValuesFactory {
    Values make(
        Layout layout,
        Worker worker,
        Supplier<Optional<ZooKeeperSession>> session,
        int valueBytesMax,
        OperatorLog log);
  }

  /** Makes what has the members. */
  interface MembershipFactory {
    Membership make(
        Layout layout,
        Worker worker,
        Supplier<Optional<ZooKeeperSession>> session,
        ZooKeeperSettings settings,
        OperatorLog log);
  }

  /** Of which the values are these. */
  static ProcessCoordination.Parts values(ValuesFactory other) {
    return new ProcessCoordination.Parts() {
      @Override
      Values values(
          Layout layout,
          Worker worker,
          Supplier<Optional<ZooKeeperSession>> session,
          ZooKeeperSettings settings,
          OperatorLog log) {
        return other.make(layout, worker, session, settings.valueBytesMax(), log);
      }
    };
  }

  /** Of which the members are these. */
  static ProcessCoordination.Parts membership(MembershipFactory other) {
    return new ProcessCoordination.Parts() {
      @Override
      Membership membership(
          Layout layout,
          Worker worker,
          Supplier<Optional<ZooKeeperSession>> session,
          ZooKeeperSettings settings,
          OperatorLog log) {
        return other.make(layout, worker, session, settings, log);
      }
    };
  }
}
