package org.ecstore.bench.validate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.bench.report.HeadedLog;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.tools.quickstart.Progress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Validations of a store that only writes down what is done with it. */
class PlanValidationTest {
  private static final Progress NONE =
      new Progress() {
        @Override
        public void phase(String name, long steps) {}

        @Override
        public void step(long steps) {}
      };

  @TempDir private Path directory;
  private final List<String> done = new ArrayList<>();

  /** What the controller says after each run, counted from the first of all. */
  private final List<List<ControlAction>> actions = new ArrayList<>();

  private int failing = -1;
  private int killing = -1;
  private int runs;

  private final class Store implements PlannedStore {
    private final DrawnObjective of;

    Store(DrawnObjective of) {
      this.of = of;
      done.add("start " + of.nodes());
    }

    @Override
    public void settle() {
      done.add("settle");
    }

    @Override
    public void promise() {
      done.add("promise");
    }

    @Override
    public TableRun run(int number) throws IOException {
      runs++;
      if (runs == killing) {
        throw new IllegalStateException("killed");
      }
      if (runs == failing) {
        throw new IOException("2 operations failed");
      }
      done.add("run " + number);
      return Validating.run(of, number, 0.1);
    }

    @Override
    public List<ControlAction> actions() {
      return runs <= actions.size() ? actions.get(runs - 1) : List.of();
    }

    @Override
    public void close() {
      done.add("end");
    }
  }

  private ValidationOutcome validate(int plans, int times)
      throws IOException, InterruptedException {
    return validate(Validating.settings(plans, times, 1));
  }

  private ValidationOutcome validate(ValidationSettings settings)
      throws IOException, InterruptedException {
    return new PlanValidation(settings, directory, NONE, (of, _) -> new Store(of), _ -> {})
        .run(directory.resolve("work"));
  }

  private static ControlAction action(long number, ActionStage stage) {
    return new ControlAction(
        number,
        ActionKind.ADD_NODE,
        DrawnObjective.APPLICATION,
        "",
        Optional.of(new NodeId(3)),
        0,
        "slow",
        1,
        1,
        stage,
        0,
        "");
  }

  @Test
  void aClusterIsSteadyBeforeItIsToldTheObjective() throws Exception {
    ValidationOutcome outcome = validate(2, 2);
    List<DrawnObjective> drawn = Validating.settings(2, 2, 1).drawn();
    List<String> expected = new ArrayList<>();
    for (DrawnObjective of : drawn) {
      expected.addAll(List.of("start " + of.nodes(), "settle", "promise", "run 1", "run 2", "end"));
    }
    assertEquals(expected, done);
    assertEquals(2, outcome.plans().size());
    assertEquals(List.of(), outcome.faults());
  }

  @Test
  void whatWasKilledGoesOnWithWhatIsMissing() throws Exception {
    for (int killed = 1; killed <= 4; killed++) {
      Files.deleteIfExists(directory.resolve(PlanValidation.RUNS));
      done.clear();
      runs = 0;
      killing = killed;
      assertThrows(IllegalStateException.class, () -> validate(2, 2));
      assertEquals("end", done.getLast(), "its processes are ended");
      killing = -1;
      long before = done.stream().filter(each -> each.startsWith("run")).count();
      assertEquals(killed - 1, before);
      done.clear();
      assertEquals(2, validate(2, 2).plans().size());
      assertEquals(4 - before, done.stream().filter(each -> each.startsWith("run")).count());
    }
  }

  @Test
  void whatIsCompleteStartsNothingAndMoreIsAdded() throws Exception {
    validate(1, 1);
    done.clear();
    assertEquals(1, validate(1, 1).plans().size());
    assertEquals(List.of(), done);
    ValidationOutcome more = validate(2, 2);
    assertEquals(
        List.of("run 2", "run 1", "run 2"),
        done.stream().filter(each -> each.startsWith("run")).toList());
    assertEquals(2, more.plans().getFirst().runs().size());
  }

  @Test
  void anotherSeedIsRefusedWithWhatDiffers() throws Exception {
    validate(1, 1);
    HeadedLog.OtherHeadException refused =
        assertThrows(
            HeadedLog.OtherHeadException.class, () -> validate(Validating.settings(1, 1, 2)));
    assertTrue(String.valueOf(refused.getMessage()).contains("seed is 1 there, not 2"));
  }

  @Test
  void anActionIsKeptOnceWhateverBecomesOfIt() throws Exception {
    actions.add(List.of(action(1, ActionStage.UNDER_WAY)));
    actions.add(List.of(action(1, ActionStage.MEASURING), action(2, ActionStage.WITHDRAWN)));
    assertEquals(List.of("plan 1, an action: add n3: slow; under way"), validate(1, 2).faults());
    done.clear();
    assertEquals(1, validate(1, 2).faults().size(), "it is in the file");
    assertEquals(List.of(), done);
  }

  @Test
  void aPlanThatFailsIsSaidAndTheOthersGoOn() throws Exception {
    failing = 1;
    ValidationOutcome outcome = validate(2, 1);
    assertEquals(List.of("plan 1 is not measured: 2 operations failed"), outcome.failures());
    assertEquals(1, outcome.plans().size());
    assertEquals(2, outcome.plans().getFirst().number());
    failing = -1;
    assertEquals(List.of(), validate(2, 1).failures());
  }
}
