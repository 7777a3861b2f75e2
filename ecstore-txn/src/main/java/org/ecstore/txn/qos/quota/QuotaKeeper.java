package org.ecstore.txn.qos.quota;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.model.objective.Objective;
import org.ecstore.protocol.ClientReply.QuotaLine;
import org.ecstore.txn.balance.Amounts;
import org.ecstore.txn.limit.ApplicationKeys;
import org.ecstore.txn.limit.QuotaLimits;
import org.ecstore.txn.message.TxnMessage.HeldBytes;
import org.ecstore.txn.message.TxnMessage.QuotaNews;
import org.ecstore.txn.message.TxnMessage.QuotaOrder;
import org.ecstore.txn.message.TxnMessage.QuotaReport;
import org.ecstore.txn.message.TxnMessage.QuotaStance;
import org.ecstore.txn.message.TxnMessage.RangeHolding;
import org.ecstore.txn.qos.objective.ObjectiveBook;
import org.ecstore.txn.qos.objective.ObjectiveBook.Promise;
import org.ecstore.txn.qos.objective.ObjectiveKeeper;
import org.ecstore.txn.steward.decision.Decision.Cause;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.ecstore.txn.steward.decision.Decisions;

/**
 * Adds up, on the node that leads, what applications with quotas hold, and tells all nodes which
 * hold all that they may (decision 0080). What primaries report is soft state: one that has just
 * come to lead, and does not know it yet, leaves nodes at what they did before.
 */
public class QuotaKeeper {
  private static final long TELL_NANOS = 2_000_000_000L;

  private record Told(long version, RangeHolding holding) {}

  private record Sum(long bytes, boolean isWhole) {}

  /**
   * What is known of an application.
   *
   * @param refuses what nodes are told; absent while that was not decided by this leader
   * @param heldBytes of all its ranges, as last known
   */
  private record Known(Optional<Boolean> refuses, Optional<Long> heldBytes) {
    private static final Known NOTHING = new Known(Optional.empty(), Optional.empty());
  }

  private record Sent(long version, Map<String, Optional<Boolean>> refuses, List<Member> members) {}

  private final NodeContext context;
  private final BooleanSupplier leads;
  private final Supplier<Optional<RangeMap>> map;
  private final Supplier<List<Member>> members;
  private final ObjectiveKeeper objectives;
  private final Decisions decisions;
  private final Map<RangeId, Map<NodeId, Told>> told = new TreeMap<>();
  private final Map<NodeId, List<String>> refusedBy = new TreeMap<>();
  private final Map<String, Known> known = new TreeMap<>();
  private final Map<NodeId, Long> incarnations = new TreeMap<>();
  private Optional<Sent> sent = Optional.empty();
  private long sentNanos;

  /**
   * One that knows nothing yet.
   *
   * @param leads whether this node leads
   * @param map of ranges; absent while it is not known here
   * @param members who is there
   * @param decisions where it says what it does
   */
  public QuotaKeeper(
      NodeContext context,
      BooleanSupplier leads,
      Supplier<Optional<RangeMap>> map,
      Supplier<List<Member>> members,
      ObjectiveKeeper objectives,
      Decisions decisions) {
    this.context = context;
    this.leads = leads;
    this.map = map;
    this.members = members;
    this.objectives = objectives;
    this.decisions = decisions;
  }

  /** This node has come to lead: what was reported before counts no more. */
  public void start() {
    told.clear();
    refusedBy.clear();
    known.clear();
    incarnations.clear();
    sent = Optional.empty();
  }

  /** A node is there, and may be another process than before: that one knows of no quotas yet. */
  public void heard(NodeId node, long incarnation) {
    if (leads.getAsBoolean() && !Long.valueOf(incarnation).equals(incarnations.get(node))) {
      incarnations.put(node, incarnation);
      sent = Optional.empty();
      tick();
    }
  }

  /** A node says what its ranges hold. */
  public void told(NodeId from, QuotaReport report) {
    if (leads.getAsBoolean()) {
      refusedBy.put(from, report.refused());
      for (RangeHolding holding : report.ranges()) {
        told.computeIfAbsent(holding.range(), _ -> new TreeMap<>())
            .put(from, new Told(report.version(), holding));
      }
    }
  }

  /** Looks what there is, and tells nodes if it is time to, or something has changed. */
  public void tick() {
    Optional<ObjectiveBook> book = objectives.book();
    if (book.isEmpty() || !hasQuotas(book.get())) {
      return;
    }
    List<Member> there = members.get();
    List<NodeId> nodes = there.stream().map(Member::node).toList();
    refusedBy.keySet().retainAll(nodes);
    incarnations.keySet().retainAll(nodes);
    map.get().ifPresent(ranges -> told.keySet().removeIf(id -> ranges.range(id).isEmpty()));
    List<Objective> limited = limited(book.get());
    known.keySet().retainAll(limited.stream().map(Objective::application).toList());
    long version = version(book.get());
    limited.forEach(objective -> look(objective, version));
    tell(limited, version, there);
  }

  /** Also where the last one was removed: nodes have to hear of it. */
  private static boolean hasQuotas(ObjectiveBook book) {
    return book.promises().stream().anyMatch(one -> one.objective().quotaBytes().isPresent())
        || book.changes().stream().anyMatch(one -> one.objective().quotaBytes().isPresent());
  }

  private static List<Objective> limited(ObjectiveBook book) {
    return book.promises().stream()
        .map(Promise::objective)
        .filter(objective -> objective.quotaBytes().isPresent())
        .toList();
  }

  private static long version(ObjectiveBook book) {
    return book.changes().isEmpty() ? 0 : book.changes().getLast().number();
  }

  private Sum sum(Objective objective, long version) {
    Optional<RangeMap> ranges = map.get();
    if (ranges.isEmpty()) {
      return new Sum(0, false);
    }
    Map<RangeId, RangeDescriptor> of = new TreeMap<>();
    for (KeyRange keys : ApplicationKeys.of(objective.tables())) {
      ranges.get().overlapping(keys).forEach(range -> of.put(range.id(), range));
    }
    long bytes = 0;
    boolean isWhole = true;
    for (RangeDescriptor range : of.values()) {
      Optional<Long> held = held(range, objective.application(), version);
      bytes += held.orElse(0L);
      isWhole &= held.isPresent();
    }
    return new Sum(bytes, isWhole);
  }

  private Optional<Long> held(RangeDescriptor range, String application, long version) {
    Epoch epoch = range.epoch();
    return Optional.ofNullable(told.get(range.id()))
        .flatMap(by -> Optional.ofNullable(by.get(range.primary())))
        .filter(one -> one.version() == version && one.holding().epoch().equals(epoch))
        .flatMap(
            one ->
                one.holding().held().stream()
                    .filter(held -> held.application().equals(application))
                    .findFirst())
        .map(HeldBytes::bytes);
  }

  private void look(Objective objective, long version) {
    String application = objective.application();
    long quota = objective.quotaBytes().orElseThrow();
    Known before = known.getOrDefault(application, Known.NOTHING);
    Sum sum = sum(objective, version);
    Optional<Boolean> refuses = before.refuses();
    if (sum.bytes() >= quota) {
      // Also where a part is missing: it is more, and not less.
      refuses = Optional.of(true);
    } else if (sum.isWhole()) {
      refuses =
          Optional.of(
              sum.bytes() >= QuotaLimits.freedBelow(quota)
                  && before.refuses().orElseGet(() -> isRefused(application)));
    }
    boolean wasRefused = before.refuses().orElseGet(() -> isRefused(application));
    if (refuses.isPresent() && refuses.get() != wasRefused) {
      say(objective, sum.bytes(), refuses.get());
    }
    known.put(
        application,
        new Known(refuses, sum.isWhole() ? Optional.of(sum.bytes()) : before.heldBytes()));
  }

  /** Whether nodes refuse what adds to an application, as an earlier leader has told them. */
  private boolean isRefused(String application) {
    return refusedBy.values().stream().anyMatch(some -> some.contains(application));
  }

  private void say(Objective objective, long bytes, boolean refuses) {
    long decision =
        decisions.open(
            context.nanos(),
            Cause.OBJECTIVE,
            List.of(),
            refuses
                ? "refuse what adds to " + objective.application()
                : "take again what adds to " + objective.application(),
            "it holds %s of %s"
                .formatted(
                    Amounts.bytes(bytes), Amounts.bytes(objective.quotaBytes().orElseThrow())));
    decisions.end(decision, Outcome.DONE, MapVersion.ZERO, "nodes are told");
  }

  private void tell(List<Objective> limited, long version, List<Member> there) {
    Map<String, Optional<Boolean>> refuses = new TreeMap<>();
    known.forEach((application, one) -> refuses.put(application, one.refuses()));
    Sent now = new Sent(version, refuses, there);
    if (sent.filter(now::equals).isPresent() && context.nanos() - sentNanos < TELL_NANOS) {
      return;
    }
    sent = Optional.of(now);
    sentNanos = context.nanos();
    List<QuotaOrder> orders = new ArrayList<>();
    for (Objective objective : limited) {
      Known one = known.getOrDefault(objective.application(), Known.NOTHING);
      orders.add(
          new QuotaOrder(
              objective.application(),
              objective.tables(),
              objective.quotaBytes().orElseThrow(),
              one.heldBytes().orElse(0L),
              one.refuses()
                  .map(is -> is ? QuotaStance.REFUSE : QuotaStance.TAKE)
                  .orElseGet(
                      () ->
                          isRefused(objective.application()) ? QuotaStance.REFUSE : undecided())));
    }
    there.forEach(member -> context.send(member.node(), new QuotaNews(version, orders)));
  }

  /** What nodes do while it is not known here what an application holds. */
  @RuleSeam(decisions = 80)
  protected QuotaStance undecided() {
    return QuotaStance.AS_BEFORE;
  }

  /** What applications with quotas hold, by their names. */
  public List<QuotaLine> lines() {
    return objectives.book().map(QuotaKeeper::limited).orElse(List.of()).stream()
        .map(
            objective -> {
              Known one = known.getOrDefault(objective.application(), Known.NOTHING);
              return new QuotaLine(
                  objective.application(),
                  one.heldBytes(),
                  one.refuses().orElseGet(() -> isRefused(objective.application())));
            })
        .toList();
  }
}
