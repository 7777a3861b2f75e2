package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.Statistic;
import org.ecstore.sim.ControlledRun.Parts;
import org.ecstore.sim.ControlledRun.Weather;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.txn.qos.measured.KeptTable;
import org.ecstore.txn.qos.measured.TableChange;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Performance tables that the controller goes by (decision 0079): what they foretell comes true
 * while they are of the nodes that are there, and of other nodes they are not consulted; what was
 * said to be kept is kept. Planted bugs of it are found.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class TablesSimTest {
  private static final long MILLI = ControlledRun.MILLI;
  private static final long MINUTE = ControlledRun.MINUTE;
  private static final int[] CLIENTS = {1, 8, 16, 32, 64, 128, 256};
  private static final int REQUESTS = 24;
  private static final int SEEDS = 4;

  /** Response times of so many clients on so many nodes, in milliseconds. */
  private interface Times {
    double millis(int clients, int nodes);
  }

  private static String table(String build, double price, Times times) {
    StringBuilder text = new StringBuilder();
    text.append("# engine: ").append(ControlledRun.ENGINE).append("\n# class: small\n");
    text.append("# capacity: all\n# reads-percent: 100\n# build: ").append(build).append('\n');
    text.append("# price: ").append(price).append("\nclients,servers,ms,MB/s,p95 ms,p99 ms\n");
    for (int clients : CLIENTS) {
      for (int nodes = 2; nodes <= 5; nodes++) {
        double millis = times.millis(clients, nodes);
        text.append(
            "%d,%d,%s,%s,%s,%s\n"
                .formatted(clients, nodes, millis, clients / millis, millis, millis));
      }
    }
    return text.toString();
  }

  /**
   * What the model of {@link ControlledRun} is to clients that ask without a pause: {@code r =
   * fixed + 5 / (1 - n / (r * nodes))}, as a node does an operation in a millisecond.
   */
  private static Times model(double fixed) {
    return (clients, nodes) -> {
      double linear = clients + (fixed + 5) * nodes;
      return (linear + Math.sqrt(linear * linear - 4 * nodes * fixed * clients)) / (2 * nodes);
    };
  }

  private static ControlledRun promised(
      long seed, Weather weather, ControlledRun.Controllers controllers) {
    return ControlledRun.promised(seed, weather, controllers, Statistic.MEAN, Optional.empty());
  }

  /** A third of a response time is the network's, of which the queue knows nothing. */
  private static ControlAction added(boolean byTable) {
    ControlledRun run = promised(11, Weather.CALM, Parts::right);
    run.fixed(8 * MILLI);
    if (byTable) {
      run.tell(new AdminRequest.UseTable("shop", table(ControlledRun.BUILD, 1, model(8)), 1));
    }
    run.ask(ControlledRun.SHOP, 2_100);
    run.run(15 * MINUTE);
    assertEquals(List.of(), run.faults());
    assertEquals(1, run.done(ActionKind.ADD_NODE), () -> run.actions().toString());
    return run.actions().getFirst();
  }

  private static double error(ControlAction action) {
    return Math.abs((double) action.predictedMicros() / action.afterMicros() - 1);
  }

  @Test
  @Tag("slow")
  void whatATableForetellsComesTrueWhereTheQueueErrs() {
    ControlAction byTable = added(true);
    assertEquals(ActionStage.DONE, byTable.stage(), byTable::toString);
    assertTrue(byTable.why().contains("predicted by table shop: "), byTable::why);
    assertTrue(byTable.why().contains(" under way on 3 nodes "), byTable::why);
    assertTrue(error(byTable) < 0.05, byTable::toString);
    ControlAction byQueue = added(false);
    assertTrue(
        byQueue.why().contains("predicted by the formula of a queue, as no table is kept"),
        byQueue::why);
    assertTrue(error(byQueue) > 0.12, byQueue::toString);
  }

  /**
   * A table of the build before says that one node more or fewer makes no difference. Nodes of the
   * present build cannot do without one of four.
   */
  private static ControlledRun upgraded(ControlledRun.Controllers controllers) {
    ControlledRun run = promised(12, Weather.CALM, controllers);
    run.harder(1.7);
    run.ask(ControlledRun.SHOP, 2_200);
    run.run(10 * MINUTE);
    assertEquals(ControlledRun.NODES + 1, run.places(), () -> run.actions().toString());
    Times flat = (clients, nodes) -> 5 + 0.05 * clients / nodes;
    run.tell(new AdminRequest.UseTable("flat", table(ControlledRun.BUILD, 1, flat), 1));
    run.upgrade("2");
    run.run(5 * MINUTE);
    run.ask(ControlledRun.SHOP, 1_760);
    run.run(20 * MINUTE);
    return run;
  }

  @Test
  void aStaleTableIsNotConsulted() {
    ControlledRun run = upgraded(Parts::right);
    assertEquals(List.of(), run.faults());
    assertEquals(ControlledRun.NODES + 1, run.places(), () -> run.actions().toString());
    assertEquals(1, run.tables().tables().size());
    // It was, of the nodes that it was measured on.
    run.upgrade(ControlledRun.BUILD);
    run.run(20 * MINUTE);
    assertTrue(
        run.faults().stream().anyMatch(fault -> fault.contains("which the promise needs")),
        () -> run.actions().toString());
  }

  @Test
  @Tag("slow")
  void aControllerThatGoesByAStaleTableIsFound() {
    List<String> faults = upgraded(PlantedControllers.TrustsStaleTables::new).faults();
    assertTrue(
        faults.stream().anyMatch(fault -> fault.contains("which the promise needs")),
        faults::toString);
  }

  /**
   * Clients that wait for answers: 40 on three nodes, 55 on four, at last so many that four nodes
   * are busy, beside as many operations a second of an application without an objective.
   */
  private static ControlledRun fewerClients(
      int clients, double others, ControlledRun.Controllers controllers) {
    ControlledRun run = new ControlledRun(15, Weather.CALM, controllers);
    run.mode(ControlMode.ACT, 5);
    run.tell(new AdminRequest.UseTable("shop", table(ControlledRun.BUILD, 1, model(0)), 1));
    run.tell(ControlledRun.forClients(ControlledRun.SHOP, 40));
    run.askAgain(ControlledRun.SHOP, 40);
    run.run(10 * MINUTE);
    assertEquals(List.of(), run.actions());
    run.askAgain(ControlledRun.SHOP, 55);
    run.run(10 * MINUTE);
    assertEquals(ControlledRun.NODES + 1, run.places(), () -> run.actions().toString());
    run.ask(ControlledRun.LOGS, others);
    run.askAgain(ControlledRun.SHOP, clients);
    run.run(20 * MINUTE);
    return run;
  }

  /** Thirty keep four nodes busy to 60 %, and three to 67: they have 12.5 ms, and 15 then. */
  @Test
  void aNodeGoesThatATableSaysClientsCanDoWithout() {
    ControlledRun run = fewerClients(30, 0, Parts::right);
    assertEquals(List.of(), run.faults());
    assertEquals(ControlledRun.NODES, run.places(), () -> run.actions().toString());
    ControlAction removed = run.actions().getLast();
    assertEquals(ActionKind.REMOVE_NODE, removed.kind(), removed::toString);
    assertTrue(removed.why().contains("predicted by table shop: "), removed::why);
    assertTrue(error(removed) < 0.05, removed::toString);
    assertTrue(run.saidPatience() == 1, () -> run.actions().toString());
  }

  @Test
  void aControllerThatTrustsNoTableIsFound() {
    ControlledRun run = fewerClients(30, 0, PlantedControllers.TrustsNoTable::new);
    assertEquals(ControlledRun.NODES + 1, run.places(), () -> run.actions().toString());
  }

  /** Three nodes would keep five clients alone; with what else there is these would have 25 ms. */
  @Test
  void noNodeGoesThatOthersThanTheTablesClientsKeepBusy() {
    ControlledRun run = fewerClients(5, 2_200, Parts::right);
    assertEquals(List.of(), run.faults());
    assertEquals(ControlledRun.NODES + 1, run.places(), () -> run.actions().toString());
  }

  @Test
  void aControllerThatTrustsTablesBlindlyIsFound() {
    List<String> faults =
        fewerClients(5, 2_200, PlantedControllers.TrustsTablesBlindly::new).faults();
    assertTrue(
        faults.stream().anyMatch(fault -> fault.contains("which the promise needs")),
        faults::toString);
  }

  /** Five nodes at 0.1 each serve 70 clients in 19 ms, four in 22.5; 20 are promised. */
  @Test
  void aGuaranteeIsHeldAgainstTheNodesThatTheCapOnCostLetsCome() {
    for (int milli : new int[] {0, 499, 500}) {
      ControlledRun run =
          new ControlledRun(
              13,
              Weather.CALM,
              Parts::right,
              Optional.of(new BigDecimal("0.1")),
              ControlledRun.NODES);
      run.mode(ControlMode.ACT, 5, milli);
      run.tell(new AdminRequest.UseTable("shop", table(ControlledRun.BUILD, 0.1, model(0)), 1));
      assertEquals(
          Optional.of(milli == 499 ? Outcome.REFUSED : Outcome.DONE),
          run.outcomeOf(ControlledRun.forClients(ControlledRun.SHOP, 70)),
          milli + " thousandths");
      assertEquals(List.of(), run.faults());
    }
  }

  /**
   * What becomes of the same guarantee, for which a fifth node would cost too much: at first, and
   * each time that another node has just come to lead, which has not read its tables yet.
   */
  private static List<Optional<Outcome>> repeated(
      AdminRequest wanted, ControlledRun.Controllers controllers) {
    ControlledRun run =
        new ControlledRun(
            21, Weather.CALM, controllers, Optional.of(new BigDecimal("0.1")), ControlledRun.NODES);
    run.mode(ControlMode.ACT, 5, 499);
    run.tell(new AdminRequest.UseTable("shop", table(ControlledRun.BUILD, 0.1, model(0)), 1));
    List<Optional<Outcome>> outcomes = new ArrayList<>();
    for (int leader = 0; leader < 4; leader++) {
      if (leader > 0) {
        assertTrue(run.crashLeader());
      }
      outcomes.add(run.outcomeOf(wanted));
    }
    assertEquals(List.of(), run.faults());
    return outcomes;
  }

  private static final AdminRequest SEVENTY = ControlledRun.forClients(ControlledRun.SHOP, 70);

  /** Of reads, within 20 ms in the mean. */
  private static AdminRequest forRate(long perSecond) {
    return new AdminRequest.SetObjective(
        Objective.guaranteed(ControlledRun.SHOP)
            .mean(Duration.ofMillis(20))
            .rate(perSecond)
            .reads(100),
        1);
  }

  @Test
  void whatIsRefusedIsNotAcceptedAsAnotherNodeComesToLead() {
    List<Optional<Outcome>> refused = Collections.nCopies(4, Optional.of(Outcome.REFUSED));
    assertEquals(refused, repeated(SEVENTY, Parts::right));
    assertEquals(refused, repeated(forRate(3_500), Parts::right));
  }

  @Test
  void aControllerThatAnswersBeforeItKnowsIsFound() {
    for (AdminRequest wanted : List.of(SEVENTY, forRate(3_500))) {
      List<Optional<Outcome>> outcomes = repeated(wanted, PlantedControllers.AnswersUnseen::new);
      assertTrue(outcomes.contains(Optional.of(Outcome.DONE)), outcomes::toString);
    }
  }

  /**
   * Nodes do nothing, so that nothing is known of what an operation takes. Four have 20 ms with 60
   * clients, which are 3,000 operations a second.
   */
  @Test
  void aRateIsHeldAgainstATableOfIdleNodes() {
    ControlledRun run =
        new ControlledRun(
            22,
            Weather.CALM,
            Parts::right,
            Optional.of(new BigDecimal("0.1")),
            ControlledRun.NODES);
    run.mode(ControlMode.ACT, 5, 499);
    run.tell(new AdminRequest.UseTable("shop", table(ControlledRun.BUILD, 0.1, model(0)), 1));
    assertEquals(Optional.of(Outcome.REFUSED), run.outcomeOf(forRate(1_000_000)));
    assertEquals(Optional.of(Outcome.REFUSED), run.outcomeOf(forRate(3_050)));
    assertEquals(Optional.of(Outcome.DONE), run.outcomeOf(forRate(2_900)));
    // Now something is promised, and nodes tell that they do nothing.
    run.run(MINUTE);
    assertEquals(Optional.of(Outcome.REFUSED), run.outcomeOf(forRate(3_050)));
    assertEquals(List.of(), run.faults());
  }

  /** The fifth node would cost too much now: what was promised with it stands, and less of it. */
  @Test
  void aGuaranteeOfLessThanBeforeIsAlwaysAccepted() {
    ControlledRun run =
        new ControlledRun(
            14,
            Weather.CALM,
            Parts::right,
            Optional.of(new BigDecimal("0.1")),
            ControlledRun.NODES);
    run.mode(ControlMode.ACT, 5, 500);
    run.tell(new AdminRequest.UseTable("shop", table(ControlledRun.BUILD, 0.1, model(0)), 1));
    run.tell(ControlledRun.forClients(ControlledRun.SHOP, 70));
    run.mode(ControlMode.ACT, 5, 499);
    assertEquals(
        Optional.of(Outcome.REFUSED),
        run.outcomeOf(ControlledRun.forClients(ControlledRun.SHOP, 71)));
    assertEquals(
        Optional.of(Outcome.DONE), run.outcomeOf(ControlledRun.forClients(ControlledRun.SHOP, 69)));
    assertEquals(List.of(), run.faults());
  }

  // --- tables are changed while answers get lost and leaders crash

  /** One operator, who tells each request until it is over. */
  private static List<String> changed(long seed, ControlledRun.Controllers controllers) {
    ControlledRun run = new ControlledRun(seed, new Weather(false, false, 0.4), controllers);
    SimRandom random = new SimRandom(seed);
    Map<String, Double> kept = new TreeMap<>();
    for (int i = 1; i <= REQUESTS; i++) {
      String name = "t" + random.between(1, 3);
      if (random.chance(0.5)) {
        run.crashLeaderWithin(600 * MILLI);
      }
      if (kept.containsKey(name) && random.chance(0.4)) {
        run.tell(new AdminRequest.RemoveTable(name, i));
        kept.remove(name);
      } else {
        run.tell(new AdminRequest.UseTable(name, table(ControlledRun.BUILD, i, model(0)), i));
        kept.put(name, (double) i);
      }
    }
    List<String> faults = new ArrayList<>(run.faults());
    Map<String, Double> found = new TreeMap<>();
    for (KeptTable table : run.tables().tables()) {
      found.put(table.name(), price(table));
    }
    if (!found.equals(kept)) {
      faults.add("kept is %s, not %s".formatted(found, kept));
    }
    Set<Long> requests = new HashSet<>();
    for (TableChange change : run.tables().changes()) {
      if (!requests.add(change.request())) {
        faults.add("request " + change.request() + " was done twice");
      }
    }
    return faults;
  }

  private static double price(KeptTable table) {
    Optional<String> line =
        table.text().lines().filter(one -> one.startsWith("# price: ")).findFirst();
    return Double.parseDouble(line.orElseThrow().substring("# price: ".length()));
  }

  private static List<String> changed(ControlledRun.Controllers controllers) {
    return LongStream.rangeClosed(1, SEEDS)
        .mapToObj(seed -> changed(seed, controllers))
        .flatMap(List::stream)
        .toList();
  }

  @Test
  void whatWasSaidToBeKeptIsKeptAndDoneOnce() {
    assertEquals(List.of(), changed(Parts::right));
  }

  @Test
  void aKeeperThatDoesNotLookWhetherATableWasTakenIsFound() {
    List<String> faults = changed(PlantedControllers.HopefulOfTables::new);
    assertTrue(faults.stream().anyMatch(fault -> fault.startsWith("kept is ")), faults::toString);
  }

  /** It refuses to remove what it has removed, or does again what it has done. */
  @Test
  void aKeeperThatDoesNotKnowWhatItHasDoneWithTablesIsFound() {
    List<String> faults = changed(PlantedControllers.ForgetfulOfTables::new);
    assertTrue(faults.stream().anyMatch(fault -> fault.contains("REFUSED")), faults::toString);
  }
}
