package org.ecstore.verify.check;

import static org.ecstore.verify.check.HandMade.STRICT;
import static org.ecstore.verify.check.HandMade.append;
import static org.ecstore.verify.check.HandMade.list;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.ecstore.model.ReadLevel;
import org.junit.jupiter.api.Test;

/**
 * Each transaction is held to its own level: what is too old for one is fresh enough for another.
 */
class LevelsCheckTest {
  private static final Duration LAG = Duration.ofMillis(300);
  private static final ReadLevel BOUNDED = ReadLevel.bounded(LAG);

  private HandMade made = new HandMade();

  /** Process 0 appends 7 to key 1 at position 2. */
  private HandMade appended() {
    return made.at(ReadLevel.STRONG).done(0, 1, 2, append(1, 7));
  }

  /** All is read at the end, so that nothing is left open. */
  private void assertKinds(String... kinds) {
    made.at(ReadLevel.STRONG).done(9, 9, 0, list(1, 7));
    assertEquals(List.of(kinds), made.kinds(STRICT));
  }

  /** Without positions, by what was read alone. */
  private void assertCycle(String kind) {
    assertEquals(List.of(kind), made.withoutPositions().kinds(STRICT));
  }

  @Test
  void onlyStrongSeesWhatOthersWereTold() {
    appended()
        .at(ReadLevel.LOCAL)
        .done(1, 1, 0, list(1))
        .at(ReadLevel.SESSION)
        .done(2, 1, 0, list(1));
    assertKinds();
    made = new HandMade();
    appended().at(ReadLevel.STRONG).done(1, 1, 0, list(1));
    assertKinds("G-single-realtime", "stale-strong-start");
    assertCycle("G-single-realtime");
  }

  @Test
  void boundedSeesWhatIsOlderThanItsLag() {
    appended().pause(LAG.minusMillis(1)).at(BOUNDED).done(1, 1, 0, list(1));
    assertKinds();
    made = new HandMade();
    appended().pause(LAG).at(BOUNDED).done(1, 1, 0, list(1));
    assertKinds("G-single-realtime", "stale-bounded-start");
    assertCycle("G-single-realtime");
  }

  @Test
  void boundedSeesWhatItsSessionHasSeenHoweverNew() {
    appended().at(BOUNDED).done(0, 1, 0, list(1));
    assertKinds("G-single-process", "stale-bounded-start");
    assertCycle("G-single-process");
  }

  @Test
  void localMayBeOlderThanItsSession() {
    appended().at(ReadLevel.LOCAL).done(0, 1, 0, list(1));
    assertKinds();
  }

  @Test
  void sessionDoesNotGoBackBehindWhatItReadLocallyOrBefore() {
    appended()
        .at(ReadLevel.LOCAL)
        .done(1, 2, 0, list(1, 7))
        .at(ReadLevel.SESSION)
        .done(1, 1, 0, list(1));
    assertKinds("G-single-process", "stale-session-start");
    made = new HandMade();
    appended()
        .at(ReadLevel.LOCAL)
        .done(0, 1, 0, list(1))
        .at(ReadLevel.SESSION)
        .done(0, 1, 0, list(1));
    assertKinds("G-single-process", "stale-session-start");
    assertCycle("G-single-process");
  }

  @Test
  void localIsOneMomentOfTheStoreAllTheSame() {
    appended().at(ReadLevel.LOCAL).done(1, 2, 0, list(1));
    assertKinds("missed-commit");
  }
}
