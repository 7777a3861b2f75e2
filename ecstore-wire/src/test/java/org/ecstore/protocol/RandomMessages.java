package org.ecstore.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.CopyRole;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Quorum;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.ReadSource;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.model.Row;

/** Random requests and replies of every type, from a seed. */
final class RandomMessages {
  private final SplittableRandom random;

  RandomMessages(long seed) {
    random = new SplittableRandom(seed);
  }

  ClientRequest request() {
    return switch (random.nextInt(20)) {
      case 0 -> new ClientRequest.Hello(random.nextInt(), text());
      case 1 -> new ClientRequest.Locate(bytes());
      case 2 -> new ClientRequest.Begin(level(), point());
      case 3 -> new ClientRequest.BeginAt(position());
      case 4 -> new ClientRequest.RenewSnapshot(random.nextLong());
      case 5 -> new ClientRequest.EndSnapshot(random.nextLong());
      case 6, 7 -> read();
      case 17 -> new ClientRequest.BeginWith(level(), point(), read());
      case 8 ->
          new ClientRequest.Commit(
              txn(),
              point(),
              oneOf(Isolation.values()),
              ascending(),
              KeyRange.merged(list(this::interval)),
              ascending().stream().map(key -> new KeyWrite(key, maybe(this::bytes))).toList(),
              naturalInt());
      case 9 -> new ClientRequest.AskOutcome(txn(), point());
      case 10 -> new ClientRequest.Inspect();
      case 11 -> new ClientRequest.Explain(bytes(), maybe(this::node));
      case 12 -> new ClientRequest.Operate(adminRequest(), naturalInt(), bytes());
      case 18 -> new ClientRequest.AskChallenge();
      case 13 -> new ClientRequest.AskDecisions(maybe(this::rangeId));
      case 14 -> new ClientRequest.QuorumGet(bytes(), quorum(), point(), naturalInt());
      case 16 -> new ClientRequest.ExplainBalance();
      case 15 ->
          new ClientRequest.QuorumWait(position(), list(this::bytes), quorum(), naturalInt());
      default -> new ClientRequest.Status(maybe(this::interval));
    };
  }

  private List<Bytes> ascending() {
    return list(this::bytes).stream().sorted().distinct().toList();
  }

  private ClientRequest.Read read() {
    return random.nextBoolean()
        ? new ClientRequest.Get(
            point(), rangeId(), epoch(), list(this::bytes), random.nextBoolean())
        : new ClientRequest.Scan(
            point(),
            rangeId(),
            epoch(),
            interval(),
            random.nextBoolean(),
            naturalInt(),
            random.nextBoolean(),
            random.nextBoolean());
  }

  private ClientReply.Answered answered() {
    return random.nextBoolean()
        ? new ClientReply.Values(list(() -> maybe(this::row)), source())
        : new ClientReply.Scanned(list(this::row), interval(), source(), list(this::bytes));
  }

  private ClientReply.Begun begun() {
    return new ClientReply.Begun(point(), random.nextLong(), naturalInt());
  }

  ClientReply reply() {
    return switch (random.nextInt(22)) {
      case 18 ->
          new ClientReply.Balance(
              node(),
              random.nextBoolean(),
              list(
                  () ->
                      new ClientReply.BalanceShare(
                          node(), natural(), maybe(this::natural), natural(), natural())),
              list(() -> new ClientReply.BalanceStep(text(), text())));
      case 0 -> new ClientReply.Welcome(random.nextInt(), text(), node(), natural());
      case 1 -> new ClientReply.Located(route(), naturalInt());
      case 2 -> begun();
      case 3, 4 -> answered();
      case 19 -> new ClientReply.BegunWith(begun(), answered());
      case 20 -> new ClientReply.Challenge(bytes());
      case 5 -> new ClientReply.Committed(position(), point());
      case 13 -> new ClientReply.Behind(source());
      case 17 -> new ClientReply.Redirect(node(), text(), interval());
      case 6 -> new ClientReply.Aborted(abortReason(), point());
      case 7 -> new ClientReply.OutcomeUnknown(text());
      case 8 -> new ClientReply.OutcomeExpired(position());
      case 9 -> new ClientReply.WrongRange(list(this::route));
      case 10 -> new ClientReply.Refused(oneOf(RefusalCode.values()), text(), naturalInt());
      case 11 ->
          new ClientReply.Inspected(
              node(),
              random.nextLong(),
              text(),
              list(this::text),
              maybe(this::node),
              point(),
              list(this::copyLine),
              new ClientReply.HotReplicasSeen(
                  naturalInt(),
                  natural(),
                  natural(),
                  list(() -> new ClientReply.HotReplicasFed(rangeId(), naturalInt()))),
              list(() -> new ClientReply.DiskRoom(text(), natural(), natural())));
      case 12 ->
          new ClientReply.Explained(
              node(),
              point(),
              maybe(this::copyLine),
              maybe(() -> new ClientReply.NodeLine(node(), text(), text())),
              maybe(this::route));
      case 14 -> new ClientReply.Decided(node(), list(this::decision));
      case 15 ->
          new ClientReply.QuorumValue(
              maybe(this::row),
              position(),
              position(),
              list(() -> new ClientReply.AnsweringCopy(node(), position())),
              random.nextBoolean(),
              random.nextBoolean());
      case 16 -> new ClientReply.QuorumReached(naturalInt());
      default ->
          new ClientReply.StatusReport(
              point(),
              list(() -> new ClientReply.NodeLine(node(), text(), text())),
              list(this::route),
              list(() -> new ClientReply.Holders(rangeId(), maybe(this::node), list(this::node))));
    };
  }

  private AdminRequest adminRequest() {
    return switch (random.nextInt(5)) {
      case 3 -> new AdminRequest.Rebalance();
      case 0 -> new AdminRequest.Split(rangeId(), maybe(this::bytes));
      case 1 -> new AdminRequest.Merge(rangeId(), rangeId());
      case 2 -> new AdminRequest.Move(rangeId(), node(), maybe(this::node));
      default -> new AdminRequest.Drain(node());
    };
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

  private ClientReply.CopyLine copyLine() {
    return new ClientReply.CopyLine(
        rangeId(), epoch(), interval(), text(), position(), position(), position());
  }

  private AbortReason abortReason() {
    return switch (random.nextInt(6)) {
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
