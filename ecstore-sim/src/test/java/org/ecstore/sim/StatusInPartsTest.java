package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Event;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.node.CallCosts;
import org.junit.jupiter.api.Test;

class StatusInPartsTest {
  /** Work takes no time. */
  private static final CallCosts NONE =
      new CallCosts() {
        @Override
        public long event(Event event) {
          return 0;
        }

        @Override
        public long read(int keys) {
          return 0;
        }

        @Override
        public long scan(ScanSpec spec) {
          return 0;
        }

        @Override
        public long newest(int keys, int intervals) {
          return 0;
        }

        @Override
        public long apply(EngineBatch batch) {
          return 0;
        }

        @Override
        public long append(int records) {
          return 0;
        }

        @Override
        public long replay(int records) {
          return 0;
        }
      };

  private final CostedCluster cluster =
      new CostedCluster(
          3,
          2,
          List.of(Bytes.utf8("g"), Bytes.utf8("p")),
          new CostedCluster.Delays(1_000, 100_000),
          NONE,
          5);

  private ClientReply.StatusReport ask(Optional<KeyRange> keys, int most) {
    List<ClientReply> found = new ArrayList<>();
    cluster.call(1, cluster.nodes().getFirst(), new ClientRequest.Status(keys, most), found::add);
    while (found.isEmpty()) {
      assertTrue(cluster.scheduler().step(Long.MAX_VALUE));
    }
    return (ClientReply.StatusReport) found.getFirst();
  }

  /** Older clients ask for all; others get no more than they have said, and go on behind it. */
  @Test
  void aNodeTellsTheFirstRangesAsManyAsAreAskedFor() {
    List<Route> all = cluster.start();
    assertTrue(all.size() >= 3, all::toString);
    assertEquals(all, ask(Optional.empty(), 0).ranges());
    ClientReply.StatusReport first = ask(Optional.empty(), 2);
    assertEquals(all.subList(0, 2), first.ranges());
    assertEquals(
        all.subList(0, 2).stream().map(Route::range).toList(),
        first.holders().stream().map(ClientReply.Holders::range).toList());
    KeyRange rest = KeyRange.from(all.get(1).keys().end().orElseThrow());
    assertEquals(all.subList(2, 3), ask(Optional.of(rest), 1).ranges());
  }
}
