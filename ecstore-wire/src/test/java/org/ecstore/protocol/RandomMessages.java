package org.ecstore.protocol;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.ecstore.aggregate.Aggregate;
import org.ecstore.aggregate.ElementComparison;
import org.ecstore.aggregate.ElementCondition;
import org.ecstore.aggregate.Measure;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.AbortReason;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.ChangeMark;
import org.ecstore.model.CopyRole;
import org.ecstore.model.CopyState;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Mutation;
import org.ecstore.model.NodeFact;
import org.ecstore.model.NodeRole;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.Quorum;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.ReadSource;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.model.Row;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlChange;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.control.NodeSlot;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.Locality;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.Statistic;
import org.ecstore.wire.WireWriter;

/** Random requests and replies of every type, from a seed. */
final class RandomMessages {
  private final SplittableRandom random;
  private final Map<Class<?>, Supplier<ClientRequest>> requests = new LinkedHashMap<>();
  private final Map<Class<?>, Supplier<ClientReply>> replies = new LinkedHashMap<>();

  RandomMessages(long seed) {
    random = new SplittableRandom(seed);
    addSnapshots();
    addQuestions();
    addAnswers();
    addOutcomes();
    addReports();
  }

  private <T extends ClientRequest> void request(Class<T> type, Supplier<T> maker) {
    requests.put(type, maker::get);
  }

  private <T extends ClientReply> void reply(Class<T> type, Supplier<T> maker) {
    replies.put(type, maker::get);
  }

  /** The classes of requests that are made. */
  Set<Class<?>> requestTypes() {
    return requests.keySet();
  }

  /** The classes of replies that are made. */
  Set<Class<?>> replyTypes() {
    return replies.keySet();
  }

  /** One of any type. */
  ClientRequest request() {
    return oneOf(requests);
  }

  /** One of any type. */
  ClientReply reply() {
    return oneOf(replies);
  }

  private <T> T oneOf(Map<Class<?>, Supplier<T>> makers) {
    return List.copyOf(makers.values()).get(random.nextInt(makers.size())).get();
  }

  /** A request with a number, and with what half of them say beside. */
  CorrelatedRequest correlated(long correlation) {
    return new CorrelatedRequest(
        correlation, request(), random.nextBoolean() ? RequestOptions.NONE : options());
  }

  private RequestOptions options() {
    return new RequestOptions(maybe(this::text), maybe(this::bytes), maybe(this::trace));
  }

  private NodeTraits traits() {
    return new NodeTraits(
        random.nextBoolean() ? "" : "large",
        maybe(() -> BigDecimal.valueOf(random.nextInt(1_000_000), random.nextInt(10))),
        "0." + random.nextInt(100),
        EngineTraits.of("je"),
        maybe(this::capacity));
  }

  private NodeTraits.Capacity capacity() {
    return new NodeTraits.Capacity(
        BigDecimal.valueOf(1 + random.nextInt(100_000), 2),
        random.nextBoolean() ? NodeTraits.Capacity.Keeper.KERNEL : NodeTraits.Capacity.Keeper.NODE);
  }

  private TraceContext trace() {
    return new TraceContext(
        random.nextLong(), 1 + natural() / 2, 1 + natural() / 2, random.nextInt(256));
  }

  private void addSnapshots() {
    request(ClientRequest.Hello.class, this::hello);
    request(ClientRequest.Begin.class, () -> new ClientRequest.Begin(level(), point()));
    request(ClientRequest.BeginAt.class, () -> new ClientRequest.BeginAt(position()));
    request(
        ClientRequest.RenewSnapshot.class,
        () -> new ClientRequest.RenewSnapshot(random.nextLong()));
    request(
        ClientRequest.EndSnapshot.class, () -> new ClientRequest.EndSnapshot(random.nextLong()));
    request(ClientRequest.Get.class, this::get);
    request(ClientRequest.Scan.class, this::aggregatingScan);
    request(
        ClientRequest.BeginWith.class,
        () -> new ClientRequest.BeginWith(level(), point(), random.nextBoolean() ? get() : scan()));
    request(
        ClientRequest.Commit.class,
        () ->
            new ClientRequest.Commit(
                txn(),
                point(),
                oneOf(Isolation.values()),
                ascending(),
                KeyRange.merged(list(this::interval)),
                ascending().stream().map(key -> new KeyWrite(key, mutation())).toList(),
                naturalInt(),
                maybe(() -> new CatalogStamp(natural(), random.nextBoolean()))));
    request(ClientRequest.AskOutcome.class, () -> new ClientRequest.AskOutcome(txn(), point()));
  }

  private Mutation mutation() {
    return switch (random.nextInt(4)) {
      case 0 -> Mutation.delete();
      case 1 ->
          new Mutation.Operation(
              oneOf(new AtomicOp[] {AtomicOp.ADD, AtomicOp.MAX, AtomicOp.MIN}),
              new WireWriter().i64(random.nextLong()).toBytes());
      case 2 ->
          new Mutation.Operation(
              AtomicOp.APPEND_IF_ABSENT, new WireWriter().bytes(bytes()).toBytes());
      default -> new Mutation.Put(bytes());
    };
  }

  private ClientRequest.Hello hello() {
    int highest = random.nextInt();
    return random.nextBoolean()
        ? new ClientRequest.Hello(highest, text())
        : new ClientRequest.Hello(highest, text(), naturalInt());
  }

  private void addQuestions() {
    request(ClientRequest.Locate.class, () -> new ClientRequest.Locate(bytes()));
    request(ClientRequest.Inspect.class, ClientRequest.Inspect::new);
    request(
        ClientRequest.Explain.class, () -> new ClientRequest.Explain(bytes(), maybe(this::node)));
    request(
        ClientRequest.Administer.class,
        () -> new ClientRequest.Administer(adminRequest(), naturalInt(), bytes()));
    request(ClientRequest.AskChallenge.class, ClientRequest.AskChallenge::new);
    request(
        ClientRequest.AskDecisions.class,
        () -> new ClientRequest.AskDecisions(maybe(this::rangeId)));
    request(
        ClientRequest.QuorumGet.class,
        () -> new ClientRequest.QuorumGet(bytes(), quorum(), point(), naturalInt()));
    request(
        ClientRequest.QuorumWait.class,
        () -> new ClientRequest.QuorumWait(position(), list(this::bytes), quorum(), naturalInt()));
    request(
        ClientRequest.ReadChanges.class,
        () ->
            new ClientRequest.ReadChanges(
                mark(), KeyRange.merged(list(this::interval)), naturalInt(), naturalInt()));
    request(ClientRequest.ExplainBalance.class, ClientRequest.ExplainBalance::new);
    request(ClientRequest.AskObjectives.class, ClientRequest.AskObjectives::new);
    request(ClientRequest.AskControl.class, ClientRequest.AskControl::new);
    request(ClientRequest.AskTables.class, ClientRequest.AskTables::new);
    request(ClientRequest.AskWholeTable.class, () -> new ClientRequest.AskWholeTable(text()));
    request(
        ClientRequest.Status.class,
        () -> new ClientRequest.Status(maybe(this::interval), naturalInt()));
  }

  private ChangeMark mark() {
    Position after = new Position(natural() / 2);
    return new ChangeMark(
        after, maybe(() -> new ChangeMark.Part(new Position(after.value() + 1), bytes())));
  }

  private ClientReply.CommitChanges commitChanges() {
    return new ClientReply.CommitChanges(
        position(), ascending().stream().map(key -> new KeyWrite(key, mutation())).toList());
  }

  private List<Bytes> ascending() {
    return list(this::bytes).stream().sorted().distinct().toList();
  }

  private ClientRequest.Get get() {
    return new ClientRequest.Get(
        point(), rangeId(), epoch(), list(this::bytes), random.nextBoolean());
  }

  private ClientRequest.Scan scan() {
    return new ClientRequest.Scan(
        point(),
        rangeId(),
        epoch(),
        interval(),
        random.nextBoolean(),
        naturalInt(),
        random.nextBoolean(),
        random.nextBoolean());
  }

  private ClientRequest.Scan aggregatingScan() {
    return random.nextBoolean() ? scan() : scan().of(aggregate());
  }

  private Aggregate aggregate() {
    List<ElementCondition> conditions =
        list(
            () ->
                new ElementCondition(
                    random.nextInt(4),
                    random.nextBoolean() ? ElementComparison.BELOW : ElementComparison.EQUAL,
                    Tuple.of(random.nextLong())));
    List<Measure> measures =
        list(
            () ->
                new Measure(
                    random.nextBoolean() ? Measure.Kind.SUM : Measure.Kind.MAX,
                    random.nextInt(4) + Measure.VALUE));
    return new Aggregate(
        random.nextInt(100),
        random.nextInt(2),
        random.nextInt(4),
        conditions.subList(0, Math.min(conditions.size(), Aggregate.PARTS_MAX)),
        measures.stream().distinct().limit(Aggregate.PARTS_MAX).toList());
  }

  private ClientReply.Values values() {
    return new ClientReply.Values(list(() -> maybe(this::row)), source());
  }

  private ClientReply.Scanned scanned() {
    return new ClientReply.Scanned(list(this::row), interval(), source(), list(this::bytes));
  }

  private ClientReply.Begun begun() {
    return new ClientReply.Begun(point(), random.nextLong(), naturalInt());
  }

  private void addAnswers() {
    reply(
        ClientReply.Welcome.class,
        () -> new ClientReply.Welcome(random.nextInt(), text(), node(), natural(), naturalInt()));
    reply(ClientReply.Located.class, () -> new ClientReply.Located(route(), naturalInt()));
    reply(ClientReply.Begun.class, this::begun);
    reply(ClientReply.Values.class, this::values);
    reply(
        ClientReply.Scanned.class,
        () ->
            new ClientReply.Scanned(
                list(this::row), interval(), source(), list(this::bytes), random.nextBoolean()));
    reply(
        ClientReply.BegunWith.class,
        () -> new ClientReply.BegunWith(begun(), random.nextBoolean() ? values() : scanned()));
    reply(ClientReply.Challenge.class, () -> new ClientReply.Challenge(bytes()));
    reply(ClientReply.Behind.class, () -> new ClientReply.Behind(source()));
    reply(ClientReply.Redirect.class, () -> new ClientReply.Redirect(node(), text(), interval()));
    reply(ClientReply.WrongRange.class, () -> new ClientReply.WrongRange(list(this::route)));
    reply(
        ClientReply.Refused.class,
        () -> new ClientReply.Refused(oneOf(RefusalCode.values()), text(), naturalInt()));
  }

  private void addOutcomes() {
    reply(ClientReply.Committed.class, () -> new ClientReply.Committed(position(), point()));
    reply(ClientReply.Aborted.class, () -> new ClientReply.Aborted(abortReason(), point()));
    reply(ClientReply.OutcomeUnknown.class, () -> new ClientReply.OutcomeUnknown(text()));
    reply(ClientReply.OutcomeExpired.class, () -> new ClientReply.OutcomeExpired(position()));
    reply(
        ClientReply.QuorumValue.class,
        () ->
            new ClientReply.QuorumValue(
                maybe(this::row),
                position(),
                position(),
                list(() -> new ClientReply.AnsweringCopy(node(), position())),
                random.nextBoolean(),
                random.nextBoolean()));
    reply(ClientReply.QuorumReached.class, () -> new ClientReply.QuorumReached(naturalInt()));
    reply(
        ClientReply.ChangesRead.class,
        () -> new ClientReply.ChangesRead(list(this::commitChanges), mark(), random.nextBoolean()));
    reply(ClientReply.ChangesLost.class, () -> new ClientReply.ChangesLost(position(), position()));
  }

  private void addReports() {
    reply(ClientReply.Inspected.class, this::inspected);
    reply(
        ClientReply.Explained.class,
        () ->
            new ClientReply.Explained(
                node(),
                point(),
                maybe(this::copyLine),
                maybe(() -> new ClientReply.NodeLine(node(), text(), list(this::role))),
                maybe(this::route)));
    reply(
        ClientReply.StatusReport.class,
        () ->
            new ClientReply.StatusReport(
                point(),
                list(() -> new ClientReply.NodeLine(node(), text(), list(this::role))),
                list(this::route),
                list(() -> new ClientReply.Holders(rangeId(), maybe(this::node), list(this::node))),
                list(() -> new ClientReply.TraitsLine(node(), text(), traits()))));
    reply(ClientReply.Decided.class, () -> new ClientReply.Decided(node(), list(this::decision)));
    reply(
        ClientReply.Balance.class,
        () ->
            new ClientReply.Balance(
                node(),
                random.nextBoolean(),
                list(
                    () ->
                        new ClientReply.BalanceShare(
                            node(), natural(), maybe(this::natural), natural(), natural())),
                list(() -> new ClientReply.BalanceStep(text(), text()))));
    reply(ClientReply.Control.class, this::control);
    reply(
        ClientReply.Tables.class,
        () ->
            new ClientReply.Tables(
                node(),
                list(() -> new ClientReply.TableLine(text(), natural(), text(), text(), text())),
                list(() -> new ClientReply.TableUseLine(text(), maybe(this::text), text()))));
    reply(ClientReply.WholeTable.class, () -> new ClientReply.WholeTable(maybe(this::text)));
    reply(
        ClientReply.Objectives.class,
        () ->
            new ClientReply.Objectives(
                node(),
                list(
                    () ->
                        new ClientReply.ObjectiveLine(
                            objective(), natural(), maybe(this::figures), list(this::figures))),
                list(
                    () ->
                        new ClientReply.ObjectiveChangeLine(
                            natural(), natural(), random.nextBoolean(), objective())),
                list(
                    () ->
                        new ClientReply.QuotaLine(
                            text(), maybe(this::natural), random.nextBoolean())),
                list(
                    () ->
                        new ClientReply.NodeHistoryLine(
                            node(), list(() -> new NodeSlot(natural(), nodeLoad()))))));
  }

  private NodeLoad nodeLoad() {
    return new NodeLoad(natural(), natural(), natural(), natural(), natural());
  }

  private ClientReply.Control control() {
    return new ClientReply.Control(
        node(),
        settings(),
        text(),
        list(() -> new ClientReply.NodeLoadLine(node(), nodeLoad())),
        list(
            () ->
                new ClientReply.ControlCheckLine(text(), naturalInt(), naturalInt(), naturalInt())),
        list(() -> new ServiceLimit(text(), list(this::text), natural(), natural())),
        list(this::action),
        naturalInt(),
        random.nextBoolean() ? OptionalLong.of(natural()) : OptionalLong.empty());
  }

  private ControlSettings settings() {
    return new ControlSettings(any(List.of(ControlMode.values())), naturalInt(), natural());
  }

  private ControlChange controlChange() {
    return new ControlChange(
        maybe(() -> any(List.of(ControlMode.values()))),
        random.nextBoolean() ? OptionalInt.of(naturalInt()) : OptionalInt.empty(),
        random.nextBoolean() ? OptionalLong.of(natural()) : OptionalLong.empty());
  }

  private ControlAction action() {
    return new ControlAction(
        natural(),
        any(List.of(ActionKind.values())),
        text(),
        text(),
        maybe(this::node),
        natural(),
        text(),
        natural(),
        natural(),
        any(List.of(ActionStage.values())),
        natural(),
        text());
  }

  private ClientReply.Inspected inspected() {
    return new ClientReply.Inspected(
        node(),
        random.nextLong(),
        text(),
        list(this::role),
        list(() -> new NodeFact("bookie down", text())),
        maybe(this::node),
        point(),
        list(this::copyLine),
        new ClientReply.HotReplicasSeen(
            naturalInt(),
            natural(),
            natural(),
            list(() -> new ClientReply.HotReplicasFed(rangeId(), naturalInt()))),
        list(() -> new ClientReply.DiskRoom(text(), natural(), natural())));
  }

  private AdminRequest adminRequest() {
    return switch (random.nextInt(12)) {
      case 11 -> new AdminRequest.ChangeControl(controlChange());
      case 9 -> new AdminRequest.UseTable(text(), text(), natural());
      case 10 -> new AdminRequest.RemoveTable(text(), natural());
      case 7 -> new AdminRequest.SetControl(settings());
      case 8 -> new AdminRequest.AnswerAction(natural(), random.nextBoolean());
      case 5 -> new AdminRequest.SetObjective(objective(), natural());
      case 6 -> new AdminRequest.RemoveObjective(text(), natural());
      case 3 -> new AdminRequest.Rebalance();
      case 0 -> new AdminRequest.Split(rangeId(), maybe(this::bytes));
      case 1 -> new AdminRequest.Merge(rangeId(), rangeId());
      case 2 -> new AdminRequest.Move(rangeId(), node(), maybe(this::node));
      default -> new AdminRequest.Drain(node());
    };
  }

  private Objective objective() {
    return new Objective(
        text(),
        list(this::text),
        any(List.of(ServiceClass.values())),
        naturalInt(),
        list(
            () ->
                new ResponseTarget(any(List.of(Statistic.values())), Duration.ofNanos(natural()))),
        new ObjectiveWorkload(
            random.nextBoolean() ? OptionalLong.of(natural()) : OptionalLong.empty(),
            random.nextBoolean() ? OptionalInt.of(naturalInt()) : OptionalInt.empty(),
            random.nextBoolean() ? OptionalInt.of(naturalInt()) : OptionalInt.empty(),
            maybe(() -> any(List.of(Locality.values()))),
            maybe(this::load)),
        random.nextBoolean() ? OptionalLong.of(natural()) : OptionalLong.empty());
  }

  private ServiceFigures figures() {
    return new ServiceFigures(
        natural(),
        1 + naturalInt() / 2,
        natural(),
        natural(),
        natural(),
        natural(),
        natural(),
        natural());
  }

  private OfferedLoad load() {
    return random.nextBoolean()
        ? new OfferedLoad.OperationRate(natural())
        : new OfferedLoad.ClientCount(naturalInt());
  }

  private ClientReply.DecisionLine decision() {
    return new ClientReply.DecisionLine(
        natural(),
        maybe(this::natural),
        natural(),
        text(),
        list(this::rangeId),
        text(),
        text(),
        text(),
        text());
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private NodeRole role() {
    return any(List.of(NodeRole.values()));
  }

  private CopyState state() {
    return any(List.of(CopyState.values()));
  }

  private ClientReply.CopyLine copyLine() {
    return new ClientReply.CopyLine(
        rangeId(), epoch(), interval(), state(), position(), position(), position());
  }

  private AbortReason abortReason() {
    return switch (random.nextInt(7)) {
      case 5 -> new AbortReason.CatalogChanged(natural());
      case 4 -> new AbortReason.NoRoom(text(), random.nextBoolean());
      case 0 ->
          new AbortReason.Conflict(rangeId(), interval(), maybe(this::txn), maybe(this::position));
      case 1 -> new AbortReason.TooOld(position());
      case 2 -> new AbortReason.RangeChanged(rangeId());
      case 3 -> new AbortReason.SettledByAsker();
      default -> new AbortReason.NotReachable(text());
    };
  }

  private Quorum quorum() {
    return new Quorum(naturalInt(), naturalInt(), naturalInt());
  }

  private Row row() {
    return new Row(bytes(), position(), bytes());
  }

  private Route route() {
    return new Route(
        rangeId(),
        epoch(),
        interval(),
        node(),
        text(),
        list(() -> new Route.Secondary(node(), text())));
  }

  private ReadSource source() {
    return new ReadSource(node(), oneOf(CopyRole.values()), position(), position(), naturalInt());
  }

  private ReadLevel level() {
    ReadLevel.Kind kind = oneOf(ReadLevel.Kind.values());
    return new ReadLevel(kind, kind == ReadLevel.Kind.BOUNDED ? 1 + random.nextInt(1 << 20) : 0);
  }

  private KeyRange interval() {
    Bytes a = bytes();
    Bytes b = bytes();
    int order = a.compareTo(b);
    if (order == 0) {
      return KeyRange.from(a);
    }
    return order < 0 ? KeyRange.of(a, b) : KeyRange.of(b, a);
  }

  private ReadPoint point() {
    return new ReadPoint(position(), new MapVersion(natural()));
  }

  private Position position() {
    return new Position(natural());
  }

  private RangeId rangeId() {
    return new RangeId(natural());
  }

  private Epoch epoch() {
    return new Epoch(natural());
  }

  private NodeId node() {
    return new NodeId(natural());
  }

  private TxnId txn() {
    return new TxnId(random.nextLong(), random.nextLong());
  }

  private Bytes bytes() {
    byte[] array = new byte[random.nextInt(12)];
    random.nextBytes(array);
    return Bytes.wrap(array);
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(6); left > 0; left--) {
      text.appendCodePoint("az0 \u0000\u00e9\u20ac".charAt(random.nextInt(7)));
      text.appendCodePoint(0x1f600 + random.nextInt(16));
    }
    return text.toString();
  }

  /** Small and large numbers alike, up to 2^63-1. */
  private long natural() {
    return random.nextLong() >>> (1 + random.nextInt(63));
  }

  private int naturalInt() {
    return random.nextInt() >>> (1 + random.nextInt(31));
  }

  private <T> Optional<T> maybe(Supplier<T> value) {
    return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
  }

  private <T> List<T> list(Supplier<T> value) {
    List<T> values = new ArrayList<>();
    for (int left = random.nextInt(5); left > 0; left--) {
      values.add(value.get());
    }
    return values;
  }

  private <T> T oneOf(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
