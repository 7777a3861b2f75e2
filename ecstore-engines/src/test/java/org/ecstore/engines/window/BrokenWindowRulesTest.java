package org.ecstore.engines.window;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineFoldContractTest;
import org.ecstore.core.port.EngineHistoryContractTest;
import org.ecstore.core.port.Event;
import org.ecstore.id.Position;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Rules of the window that no run of a cluster can break visibly (decision 0087), or not alone: the
 * cases of the contract that hold an engine to them find an engine without.
 */
class BrokenWindowRulesTest {
  /** Cases of folds, of an engine with rules. */
  private static final class FoldCases extends EngineFoldContractTest {
    private final MemoryWindow window;

    FoldCases(WindowRules rules) {
      window = new MemoryWindow(rules);
    }

    @Override
    protected Engine open(Consumer<Event> sink) {
      return window.open(sink);
    }

    @Override
    protected void close(Engine engine) {
      window.close(engine);
    }

    @Override
    protected void advance() {
      window.advance();
    }
  }

  /** Histories with crashes, of an engine with rules. */
  private static final class HistoryCases extends EngineHistoryContractTest {
    private final MemoryWindow window;

    HistoryCases(WindowRules rules) {
      window = new MemoryWindow(rules);
    }

    @Override
    protected Engine open(Consumer<Event> sink) {
      return window.open(sink);
    }

    @Override
    protected void close(Engine engine) {
      window.close(engine);
    }

    @Override
    protected void advance() {
      window.advance();
    }

    @Override
    protected void crash(Engine engine, RandomGenerator random) {
      window.crash(random);
    }

    @Override
    protected void restore(Engine engine, Position folded, Position folding) {
      ((WindowedEngine) engine).restore(KeyRange.ALL, folded, folding);
    }
  }

  /** Against W1: what comes late brings back what is deleted. */
  private static final class TakesLateWrites extends WindowRules {
    @Override
    protected boolean isFolded(long version, long folded) {
      return false;
    }
  }

  /** Against W6: a fold goes on in an interval that was cleared. */
  private static final class FoldsWhatIsCleared extends WindowRules {
    @Override
    protected boolean leavesFolds(KeyRange cleared) {
      return false;
    }
  }

  /** Against W5: versions leave the window, and a sync may come later. */
  private static final class LeavesBeforeSync extends WindowRules {
    @Override
    protected void beforeLeaving(Runnable sync) {}
  }

  /** Against W1: the engine's part of newest-while-folding. */
  private static final class TellsNewestBelowKept extends WindowRules {
    @Override
    protected long votableFrom(long kept) {
      return 0;
    }
  }

  private static Executable folds(WindowRules rules, Consumer<EngineFoldContractTest> oneCase) {
    return () -> {
      FoldCases cases = new FoldCases(rules);
      cases.openEngine();
      oneCase.accept(cases);
    };
  }

  private static Executable crashes(WindowRules rules) {
    return () -> {
      for (long seed = 1; seed <= 6; seed++) {
        new HistoryCases(rules).aCrashKeepsWhatWasFoldedAndAReplayMakesItWhole(seed);
      }
    };
  }

  /** It passes with the right rules, and with these it does not. */
  private static void assertFound(
      WindowRules broken, Consumer<EngineFoldContractTest> oneCase, String what) {
    assertDoesNotThrow(folds(WindowRules.RIGHT, oneCase));
    assertThrows(AssertionError.class, folds(broken, oneCase), what);
  }

  @Test
  void lateApplyBelowFoldedIsFound() {
    assertFound(
        new TakesLateWrites(),
        EngineFoldContractTest::aWriteAtOrBelowWhatIsFoldedIsDropped,
        "late-apply-below-folded");
  }

  @Test
  void foldStepAfterClearIsFound() {
    assertFound(
        new FoldsWhatIsCleared(),
        EngineFoldContractTest::aClearTakesItsIntervalOutOfTheFoldsUnderWay,
        "fold-step-after-clear");
  }

  @Test
  void newestWhileFoldingIsFound() {
    assertFound(
        new TellsNewestBelowKept(),
        EngineFoldContractTest::aFoldKeepsWhatIsReadFromItsPositionOn,
        "newest-while-folding");
  }

  /** What a fold is said to have made durable is gone after a crash. */
  @Test
  void leavesWindowBeforeSyncIsFound() {
    assertDoesNotThrow(crashes(WindowRules.RIGHT));
    assertThrows(
        AssertionError.class, crashes(new LeavesBeforeSync()), "leaves-window-before-sync");
  }
}
