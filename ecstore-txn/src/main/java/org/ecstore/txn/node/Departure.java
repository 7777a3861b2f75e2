package org.ecstore.txn.node;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.MapVersion;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.commit.Coordinator;
import org.ecstore.txn.message.TxnMessage.LeaveAnswer;

/**
 * The safe departure of this node (ecStore §5.4): it tells the steward that it wants to leave until
 * its ranges are handed over, serving them to the last; then it takes no new work, lets commits
 * that it coordinates end, and says that it may be stopped. The request lasts as long as the
 * process: a node that is killed and started again is as any other.
 *
 * <p>Ranges come to a node only by copies it has built itself. So one that has no copy and builds
 * none, and owns nothing by the map it knows, will never be found to own something by a later one.
 */
public class Departure {
  private final NodeContext context;
  private final LedgerView ledgerView;
  private final CopyTable copies;
  private final CopyBuilder builder;
  private final Coordinator coordinator;
  private final Supplier<List<Member>> members;
  private boolean wanted;
  private boolean drained;
  private Optional<LeaveAnswer> answer = Optional.empty();

  public Departure(
      NodeContext context,
      LedgerView ledgerView,
      CopyTable copies,
      CopyBuilder builder,
      Coordinator coordinator,
      Supplier<List<Member>> members) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.copies = copies;
    this.builder = builder;
    this.coordinator = coordinator;
    this.members = members;
  }

  /**
   * How a departure stands; the detail is for people.
   *
   * @param drained whether the steward has told it to leave, by an operator's command: its process
   *     runs on
   */
  public record Progress(Stage stage, String detail, boolean drained) {}

  /** Where a node is in its departure. */
  public enum Stage {
    /** It has not been told to leave. */
    STAYS,
    /** It still has ranges, or commits of its clients are under way. */
    LEAVING,
    /** It has ranges, and no node is there to take them over. */
    NO_HEIR,
    /** It has nothing that another node needs: it may be stopped. */
    DEPARTED
  }

  /** The process is to end. */
  void begin() {
    begin(false);
  }

  /** An operator wants the node to have nothing; unless it leaves for another reason already. */
  void drain() {
    begin(!wanted || drained);
  }

  private void begin(boolean byCommand) {
    wanted = true;
    drained = byCommand;
    answer = Optional.empty();
  }

  void cancel() {
    wanted = false;
    drained = false;
  }

  boolean wanted() {
    return wanted;
  }

  /** Whether clients are to go elsewhere. */
  boolean takesNothing() {
    return wanted && hasHandedOver();
  }

  /** Whether nothing is left to hand over. */
  @RuleSeam(20)
  protected boolean hasHandedOver() {
    return !ledgerView.map().version().equals(MapVersion.ZERO)
        && !ownsAny(ledgerView.map())
        && copies.all().isEmpty()
        && !builder.building();
  }

  /** Whether the map names this node as primary of some range. */
  protected final boolean ownsAny(RangeMap map) {
    return map.ranges().stream().anyMatch(range -> range.primary().equals(context.self()));
  }

  /** What the steward said of it. */
  void answered(LeaveAnswer news) {
    if (wanted && news.incarnation() == context.incarnation()) {
      answer = Optional.of(news);
    }
  }

  Progress progress() {
    if (!wanted) {
      return progress(Stage.STAYS, "");
    }
    if (hasHandedOver()) {
      return coordinator.running() == 0
          ? progress(Stage.DEPARTED, "")
          : progress(Stage.LEAVING, coordinator.running() + " commits are under way");
    }
    boolean alone = members.get().stream().allMatch(member -> member.node().equals(context.self()));
    if (alone) {
      return progress(Stage.NO_HEIR, "no other node is there");
    }
    boolean possible = answer.isEmpty() || answer.get().possible();
    return progress(
        possible ? Stage.LEAVING : Stage.NO_HEIR,
        answer.map(LeaveAnswer::detail).orElse("the node that leads has not answered yet"));
  }

  /** Whether it has left by an operator's command; its process runs on. */
  boolean isDrained() {
    Progress progress = progress();
    return progress.drained() && progress.stage() == Stage.DEPARTED;
  }

  private Progress progress(Stage stage, String detail) {
    return new Progress(stage, detail, drained);
  }
}
