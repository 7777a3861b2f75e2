package org.ecstore.tools.plan;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.ecstore.tools.plan.TablePlanner.Weighed;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.table.TableSubject;

/**
 * The nodes of a plan: as many as it says, and as those that its table was measured on. What the
 * table does not say is absent.
 *
 * @param lines the plan, for people
 * @param engine the kind of their engines
 * @param capacity of each, as tables have it
 * @param copies of each range
 * @param measured what they had beside that
 */
public record PlannedNodes(
    List<String> lines,
    int count,
    Optional<String> engine,
    Optional<String> nodeClass,
    Optional<BigDecimal> price,
    Optional<String> capacity,
    OptionalInt copies,
    Optional<MeasuredNodes> measured) {
  /** Of nodes whose engine nothing is said of. */
  private static final String USUAL_ENGINE = "je";

  private static final int PRICE_DIGITS = 9;

  public PlannedNodes {
    lines = List.copyOf(lines);
  }

  /**
   * Those of the best plan.
   *
   * @throws BadInputException if there is no plan; says what comes nearest
   * @throws IOException if what is beside the table cannot be read
   */
  public static PlannedNodes of(Weighed weighed) throws IOException {
    TablePlan plan = weighed.best();
    if (!plan.isFound()) {
      throw new BadInputException(PlanText.sentence(plan));
    }
    List<String> lines = new ArrayList<>(PlanText.summary(plan));
    weighed.leftOut().forEach(why -> lines.add("left out: " + why));
    TableSubject subject = plan.subject();
    Optional<MeasuredNodes> measured = MeasuredNodes.beside(Path.of(plan.file()));
    return new PlannedNodes(
        lines,
        plan.nodes(),
        subject.engine(),
        subject.nodeClass(),
        price(subject),
        subject.capacity(),
        copies(subject, measured),
        measured);
  }

  /** As the table's head says, else as its runs say. */
  private static OptionalInt copies(TableSubject subject, Optional<MeasuredNodes> measured) {
    OptionalInt said = subject.setting().copies();
    return said.isPresent() ? said : measured.stream().mapToInt(MeasuredNodes::copies).findFirst();
  }

  /** The processors that each may keep busy; absent if all, or if that is not known. */
  public Optional<BigDecimal> processors() {
    return capacity.filter(text -> !text.equals(TableSubject.WHOLE)).map(BigDecimal::new);
  }

  /** Whether their engines are of another kind than those of which nothing is said. */
  public boolean isOfUnusualEngine() {
    return engine.filter(kind -> !kind.equals(USUAL_ENGINE)).isPresent();
  }

  /** What an hour of each costs, as {@code node.price} has it. */
  public static Optional<BigDecimal> price(TableSubject subject) {
    return subject.nodePrice().stream()
        .mapToObj(price -> BigDecimal.valueOf(price).setScale(PRICE_DIGITS, RoundingMode.HALF_UP))
        .map(price -> new BigDecimal(price.stripTrailingZeros().toPlainString()))
        .findFirst();
  }
}
