package org.ecstore.txn.node;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongFunction;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.txn.message.TxnMessage.AdminRequestTold;
import org.ecstore.txn.message.TxnMessage.BalanceReply;
import org.ecstore.txn.message.TxnMessage.BalanceRequest;
import org.ecstore.txn.message.TxnMessage.DecisionsReply;
import org.ecstore.txn.message.TxnMessage.DecisionsRequest;
import org.ecstore.txn.sequencer.SequencerLink;
import org.ecstore.txn.steward.Steward;
import org.ecstore.txn.steward.decision.Decision;

/** Hands operators' requests and questions to the steward, wherever it is, and its answers back. */
final class Operators {
  /** Of all decisions so many of the newest go into one answer. */
  private static final int ANSWER_MAX = 1000;

  private final NodeContext context;
  private final SequencerLink sequencer;
  private final Steward steward;
  private final long askNanos;

  Operators(NodeContext context, SequencerLink sequencer, Steward steward, long askNanos) {
    this.context = context;
    this.sequencer = sequencer;
    this.steward = steward;
    this.askNanos = askNanos;
  }

  void operate(ClientCall client, ClientRequest.Administer adminRequest) {
    ask(client, call -> new AdminRequestTold(call, adminRequest.adminRequest(), adminRequest.id()));
  }

  void decisions(ClientCall client, ClientRequest.AskDecisions ask) {
    ask(client, call -> new DecisionsRequest(call, ask.range()));
  }

  private void ask(ClientCall client, LongFunction<NodeMessage> question) {
    Optional<NodeId> leader = sequencer.leader();
    if (leader.isEmpty()) {
      refuse(client, "no node leads at present");
      return;
    }
    context.ask(
        leader.get(),
        question,
        askNanos,
        answer -> {
          if (answer.isPresent() && answer.get() instanceof DecisionsReply reply) {
            if (reply.isSteward()) {
              reply(client, new ClientReply.Decided(leader.get(), reply.decisions()));
            } else {
              refuse(client, leader.get() + " does not lead, or not yet");
            }
          } else {
            refuse(client, "the steward on " + leader.get() + " does not answer");
          }
        });
  }

  void balance(ClientCall client) {
    Optional<NodeId> leader = sequencer.leader();
    if (leader.isEmpty()) {
      refuse(client, "no node leads at present");
      return;
    }
    context.ask(
        leader.get(),
        BalanceRequest::new,
        askNanos,
        answer -> {
          if (answer.isPresent() && answer.get() instanceof BalanceReply reply) {
            reply
                .balance()
                .ifPresentOrElse(
                    balance -> reply(client, balance),
                    () -> refuse(client, leader.get() + " does not lead, or not yet"));
          } else {
            refuse(client, "the steward on " + leader.get() + " does not answer");
          }
        });
  }

  /** At the steward. */
  void asked(NodeId from, BalanceRequest request) {
    context.send(from, new BalanceReply(request.call(), steward.balance()));
  }

  private void refuse(ClientCall client, String why) {
    reply(client, new ClientReply.Refused(RefusalCode.UNAVAILABLE, why));
  }

  private void reply(ClientCall client, ClientReply reply) {
    context.ports().network().reply(client, reply);
  }

  /** At the steward. */
  void adminRequested(NodeId from, AdminRequestTold request) {
    if (steward.isReady()) {
      Decision decision = steward.adminRequest(request.adminRequest(), request.id());
      context.send(from, new DecisionsReply(request.call(), true, List.of(line(decision))));
    } else {
      context.send(from, new DecisionsReply(request.call(), false, List.of()));
    }
  }

  /** At the steward. */
  void asked(NodeId from, DecisionsRequest request) {
    List<Decision> about =
        steward.decisions().stream().filter(one -> isAbout(one, request.range())).toList();
    List<DecisionLine> newest =
        about.stream().skip(Math.max(0, about.size() - ANSWER_MAX)).map(this::line).toList();
    context.send(from, new DecisionsReply(request.call(), steward.isReady(), newest));
  }

  private static boolean isAbout(Decision decision, Optional<RangeId> range) {
    return range.isEmpty() || decision.ranges().contains(range.get());
  }

  private DecisionLine line(Decision one) {
    return new DecisionLine(
        one.number(),
        one.nanos() == 0
            ? Optional.empty()
            : Optional.of(Math.max(0, (context.nanos() - one.nanos()) / 1_000_000)),
        one.map().value(),
        one.cause().name().toLowerCase(Locale.ROOT),
        one.ranges(),
        one.what(),
        one.why(),
        one.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        one.detail());
  }
}
