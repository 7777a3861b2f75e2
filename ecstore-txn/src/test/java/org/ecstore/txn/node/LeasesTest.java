package org.ecstore.txn.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.junit.jupiter.api.Test;

class LeasesTest {
  private static final int MOST = 800;

  private final Leases leases = new Leases(100, MOST);

  private static ReadPoint at(long position) {
    return new ReadPoint(new Position(position), MapVersion.ZERO);
  }

  private Optional<Long> least() {
    return leases.least(Position.ZERO).map(Position::value);
  }

  @Test
  void theLeastPositionIsThatOfLeasesThatLast() {
    assertEquals(Optional.empty(), least());
    long first = leases.grant(1, at(7), 0).orElseThrow();
    long second = leases.grant(1, at(5), 10).orElseThrow();
    leases.grant(2, at(5), 20);
    assertEquals(Optional.of(5L), least());
    leases.end(2, second);
    assertEquals(Optional.of(5L), least());
    leases.end(1, second);
    assertEquals(Optional.of(5L), least());
    assertEquals(Optional.of(at(7)), leases.renew(1, first, 90));
    leases.expire(120);
    assertEquals(Optional.of(7L), least());
    leases.expire(190);
    assertEquals(Optional.empty(), least());
    assertEquals(Optional.empty(), leases.renew(1, first, 190));
  }

  @Test
  void theEndOfAConnectionEndsItsLeasesAndNoOthers() {
    leases.grant(1, at(3), 0);
    leases.grant(1, at(4), 0);
    leases.grant(2, at(5), 0);
    leases.endAll(1);
    assertEquals(Optional.of(5L), least());
    leases.endAll(1);
    leases.endAll(2);
    assertEquals(Optional.empty(), least());
  }

  /** It holds back nothing, and hides none that can be read. */
  @Test
  void whatIsBelowTheFloorDoesNotCount() {
    leases.grant(1, at(1), 0);
    leases.grant(2, at(8), 0);
    assertEquals(Optional.of(new Position(8)), leases.least(new Position(2)));
    assertEquals(Optional.of(new Position(8)), leases.least(new Position(8)));
    assertEquals(Optional.empty(), leases.least(new Position(9)));
  }

  @Test
  void oneConnectionDoesNotTakeThemAll() {
    for (int i = 0; i < MOST / 8; i++) {
      assertTrue(leases.grant(1, at(i), 0).isPresent());
    }
    assertEquals(Optional.empty(), leases.grant(1, at(1), 0));
    assertTrue(leases.grant(2, at(1), 0).isPresent());
    leases.endAll(1);
    assertTrue(leases.grant(1, at(9), 0).isPresent());
    assertEquals(Optional.of(1L), least());
  }
}
