package org.ecstore.txn.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.RecordParts;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.Network;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.port.Ports;
import org.ecstore.core.port.Timers;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.protocol.ClientReply;
import org.ecstore.txn.message.Outcome;
import org.ecstore.txn.message.TxnMessage.Ask;
import org.ecstore.txn.message.TxnMessage.OutcomeReply;
import org.ecstore.txn.sequencer.SequencerLink;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which intents a participant asks about, and what the answers do to them. */
class IntentDoubtsTest {
  private static final NodeId SELF = new NodeId(1);
  private static final NodeId LEADER = new NodeId(2);
  private static final NodeId COORDINATOR = new NodeId(3);
  private static final long INCARNATION = 9;
  private static final Position NOTED = new Position(4);
  private static final Position NUMBER = new Position(5);
  private static final long FAR = Long.MAX_VALUE / 2;

  private final List<Ask> asked = new ArrayList<>();
  private final List<Optional<Position>> settled = new ArrayList<>();
  private final List<Long> ledgerReads = new ArrayList<>();
  private final NodeContext context = new NodeContext(SELF, ports());
  private final SequencerLink sequencer = new SequencerLink(context, 1_000);
  private final IntentDoubts doubts =
      new IntentDoubts(context, sequencer, new CommittedWrites(context), 1_000);
  private long clockReads;
  private long tablesTaken;

  @BeforeEach
  void lead() {
    context.pointFrom(() -> new ReadPoint(NOTED, MapVersion.ZERO));
    sequencer.leader(Optional.of(LEADER));
  }

  /** The intents on a copy, and what becomes of them. */
  private final class Held implements IntentDoubts.Intents {
    private final IntentTable intents = new IntentTable();

    @Override
    public IntentTable table() {
      tablesTaken++;
      return intents;
    }

    @Override
    public void committed(TransactionIntents holder, Position number, List<KeyWrite> writes) {
      settled.add(Optional.of(number));
    }

    @Override
    public void aborted(TransactionIntents holder) {
      settled.add(Optional.empty());
    }

    private TransactionIntents add(int id) {
      TransactionIntents holder =
          new TransactionIntents(
              new TxnId(1, id),
              COORDINATOR,
              INCARNATION,
              ReadPoint.ZERO,
              Isolation.SERIALIZABLE,
              List.of(),
              List.of(),
              List.of(Bytes.utf8("k" + id)),
              List.of(),
              NOTED);
      intents.enter(holder);
      return holder;
    }

    private Held with(int from, int to, long askAtNanos) {
      for (int id = from; id < to; id++) {
        add(id).askAtNanos = askAtNanos;
      }
      return this;
    }
  }

  @Test
  void whileAsManyAreAskedAboutAsMayBeNoneIsLookedAt() {
    List<Held> copies = List.of(new Held().with(0, 3_000, 0), new Held().with(3_000, 6_000, 0));
    doubts.look(copies);
    assertEquals(1_000, asked.size());
    tablesTaken = 0;
    doubts.look(copies);
    assertEquals(1_000, asked.size());
    assertEquals(0, tablesTaken);
  }

  @Test
  void eachHasItsTurnWhereThereAreManyAndFewAreLookedAtInATick() {
    Held first = new Held().with(0, 12_000, FAR);
    Held second = new Held().with(12_000, 24_000, FAR);
    List<Held> copies = List.of(first, second);
    second.add(24_000).askAtNanos = 0;
    first.add(24_001).askAtNanos = 0;
    int ticks = 0;
    while (asked.size() < 2) {
      clockReads = 0;
      doubts.look(copies);
      ticks++;
      assertTrue(clockReads < 100, () -> clockReads + " in one look");
      assertTrue(ticks < 20, () -> "asked about " + asked);
    }
  }

  @Test
  void fewAreAllLookedAtInEachTick() {
    List<Held> copies = List.of(new Held().with(0, 10, 0), new Held().with(10, 20, FAR));
    doubts.look(copies);
    assertEquals(10, asked.size());
    copies.getLast().intents.all().forEach(holder -> holder.askAtNanos = 0);
    doubts.look(copies);
    assertEquals(20, asked.size());
  }

  /** Intents of one coordinator, and a commit of another one under the same id. */
  @ParameterizedTest
  @CsvSource({"3, 9, true", "4, 9, false", "3, 8, false"})
  void onlyWhatIsOfTheirCoordinatorIsApplied(long node, long incarnation, boolean isOwn) {
    doubts.look(List.of(new Held().with(0, 1, 0)));
    Ask ask = asked.getFirst();
    context.replied(LEADER, new OutcomeReply(ask.call(), new Outcome.Committed(NUMBER)));
    context.flush();
    LedgerRecord commit =
        new LedgerRecord.Commit(
            ask.txn(),
            new NodeId(node),
            incarnation,
            Position.ZERO,
            MapVersion.ZERO,
            Isolation.SERIALIZABLE,
            List.of(),
            List.of(new KeyWrite(Bytes.utf8("k0"), Optional.of(Bytes.EMPTY))));
    Ledger.LedgerEntry entry =
        new Ledger.LedgerEntry(NUMBER, RecordParts.split(commit, NUMBER.value()));
    context.complete(
        new Event.LedgerDone(
            ledgerReads.getFirst(), new LedgerResult.Entries(List.of(entry), NUMBER)));
    assertEquals(List.of(isOwn ? Optional.of(NUMBER) : Optional.empty()), settled);
  }

  private Ports ports() {
    return new Ports(
        () -> {
          clockReads++;
          return 0;
        },
        new NoTimers(),
        new SplittableRandom(1),
        new Wire(),
        unused(Engine.class),
        new ReadLedger(),
        unused(Coordination.class),
        unused(OperatorLog.class),
        Metrics.NONE);
  }

  private static <T> T unused(Class<T> port) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            }));
  }

  /** No wait is over. */
  private static final class NoTimers implements Timers {
    @Override
    public void schedule(long token, long delayNanos) {}

    @Override
    public void cancel(long token) {}
  }

  private final class Wire implements Network {
    @Override
    public void send(NodeId to, ReadPoint point, NodeMessage message) {
      if (message instanceof Ask ask) {
        asked.add(ask);
      }
    }

    @Override
    public void reply(ClientCall call, ClientReply reply) {
      throw new UnsupportedOperationException();
    }
  }

  private final class ReadLedger implements Ledger {
    @Override
    public void read(long token, Position from, int bytesMax) {
      ledgerReads.add(token);
    }

    @Override
    public void fence(long token) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void append(long token, LedgerEntry entry) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void trim(long token, Position below) {
      throw new UnsupportedOperationException();
    }
  }
}
