package org.ecstore.txn.node;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.model.Quorum;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.quorum.QuorumCopies;
import org.ecstore.replication.quorum.QuorumMessage;
import org.ecstore.replication.quorum.QuorumOutcome;
import org.ecstore.replication.quorum.QuorumReads;
import org.ecstore.replication.quorum.QuorumWaits;
import org.ecstore.replication.view.LedgerView;

/** The node's part in quorum reads and writes: its copies', and that of a coordinator (rule 13). */
final class Quorums {
  private static final int MILLIS_MAX = 60_000;

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final ReadBarrier positions;
  private final SnapshotBegins begins;
  private final QuorumCopies copies;
  private final QuorumReads reads;
  private final QuorumWaits waits;
  private final long requestNanos;

  Quorums(
      NodeContext context,
      LedgerView ledgerView,
      ReadBarrier positions,
      SnapshotBegins begins,
      QuorumCopies copies,
      QuorumReads reads,
      NodeSettings settings) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.positions = positions;
    this.begins = begins;
    this.copies = copies;
    this.reads = reads;
    this.requestNanos = settings.requestNanos();
    this.waits = new QuorumWaits(context, ledgerView, settings.askNanos(), settings.tickNanos());
  }

  void tick() {
    copies.tick();
  }

  /** After each batch of events. */
  void flush() {
    copies.flush();
  }

  /** What waits for a position. */
  int parked() {
    return copies.parked();
  }

  void delivered(NodeId from, QuorumMessage message) {
    copies.requested(from, message);
  }

  /** Takes a client's request if it is about a quorum. */
  boolean called(ClientCall call, ClientRequest request) {
    switch (request) {
      case ClientRequest.QuorumGet get when isRight(call, get.quorum()) -> get(call, get);
      case ClientRequest.QuorumWait wait when isRight(call, wait.quorum()) -> await(call, wait);
      case ClientRequest.QuorumGet _, ClientRequest.QuorumWait _ -> {}
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean isRight(ClientCall call, Quorum quorum) {
    Optional<String> wrong = quorum.wrong();
    wrong.ifPresent(why -> reply(call, new ClientReply.Refused(RefusalCode.BAD_REQUEST, why)));
    return wrong.isEmpty();
  }

  private void reply(ClientCall call, ClientReply reply) {
    context.ports().network().reply(call, reply);
  }

  private long until(int timeoutMillis) {
    long millis = Math.max(1, Math.min(timeoutMillis, MILLIS_MAX));
    return context.nanos() + millis * 1_000_000L;
  }

  /** By the map of what the client has seen: copies that were the key's before have not. */
  private void get(ClientCall call, ClientRequest.QuorumGet get) {
    long until = until(get.timeoutMillis());
    positions.reach(
        get.seen(),
        Math.min(until, context.nanos() + requestNanos),
        () ->
            reads.get(
                get.key(),
                get.quorum(),
                get.seen().position(),
                this::learnMap,
                until,
                outcome -> reply(call, answer(get.quorum(), outcome))),
        refused -> reply(call, refused));
  }

  /** As a strong start does, and together with those of the node (decision 0026). */
  private void learnMap(long untilNanos, Runnable known, Runnable silent) {
    begins.start(ReadLevel.STRONG, ReadPoint.ZERO, untilNanos, _ -> known.run(), _ -> silent.run());
  }

  private ClientReply answer(Quorum quorum, QuorumOutcome outcome) {
    return switch (outcome) {
      case QuorumOutcome.Found found -> {
        List<ClientReply.AnsweringCopy> answered =
            found.closedBy().entrySet().stream()
                .map(copy -> new ClientReply.AnsweringCopy(copy.getKey(), copy.getValue()))
                .toList();
        yield new ClientReply.QuorumValue(
            found.row(),
            found.at(),
            ledgerView.adopted().position(),
            answered,
            found.writtenBack(),
            !quorum.isStrict() || !found.confirmed());
      }
      case QuorumOutcome.NotNow(var detail) ->
          new ClientReply.Refused(RefusalCode.UNAVAILABLE, detail);
    };
  }

  private void await(ClientCall call, ClientRequest.QuorumWait wait) {
    long until = until(wait.timeoutMillis());
    // A number that no record has is not waited for: the keys take room meanwhile.
    positions.reach(
        new ReadPoint(wait.number(), MapVersion.ZERO),
        Math.min(until, context.nanos() + requestNanos),
        () ->
            waits.reach(
                wait.number(),
                wait.keys(),
                wait.quorum(),
                until,
                copiesThere -> reply(call, new ClientReply.QuorumReached(copiesThere))),
        refused -> reply(call, new ClientReply.QuorumReached(0)));
  }
}
