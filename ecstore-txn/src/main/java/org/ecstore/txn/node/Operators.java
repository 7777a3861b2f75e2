package org.ecstore.txn.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.txn.message.TxnMessage.AdminRequestTold;
import org.ecstore.txn.message.TxnMessage.BalanceReply;
import org.ecstore.txn.message.TxnMessage.BalanceRequest;
import org.ecstore.txn.message.TxnMessage.ControlReply;
import org.ecstore.txn.message.TxnMessage.ControlRequest;
import org.ecstore.txn.message.TxnMessage.DecisionsReply;
import org.ecstore.txn.message.TxnMessage.DecisionsRequest;
import org.ecstore.txn.message.TxnMessage.ObjectivesReply;
import org.ecstore.txn.message.TxnMessage.ObjectivesRequest;
import org.ecstore.txn.message.TxnMessage.TablesReply;
import org.ecstore.txn.message.TxnMessage.TablesRequest;
import org.ecstore.txn.message.TxnMessage.WholeTableReply;
import org.ecstore.txn.message.TxnMessage.WholeTableRequest;
import org.ecstore.txn.sequencer.SequencerLink;
import org.ecstore.txn.steward.Steward;
import org.ecstore.txn.steward.decision.Decision;

/** Hands operators' requests and questions to the steward, wherever it is, and its answers back. */
final class Operators {
  /** Of all decisions so many of the newest go into one answer. */
  private static final int ANSWER_MAX = 1000;

  /** So many clients of this node may wait for what the steward says of itself. */
  private static final int WAITING_MAX = 1_000;

  private static final int AGAIN_MILLIS = 100;

  /** Between two questions of this node, however many ask here. */
  private static final long PAUSE_NANOS = 5_000_000L;

  /** A question that changes nothing: any client may ask, and those who ask the same share it. */
  private sealed interface Question {
    record OfBalance() implements Question {}

    record OfObjectives() implements Question {}

    record OfControl() implements Question {}

    record OfTables() implements Question {}

    record OfWholeTable(String name) implements Question {}

    record OfDecisions(Optional<RangeId> range) implements Question {}
  }

  /** Who waits for the answer to what, in the order of the questions. */
  private final Map<Question, List<ClientCall>> waiting = new LinkedHashMap<>();

  private int waitingCount;
  private boolean asking;

  private final NodeContext context;
  private final SequencerLink sequencer;
  private final Steward steward;
  private final Supplier<List<Member>> members;
  private final long askNanos;

  Operators(
      NodeContext context,
      SequencerLink sequencer,
      Steward steward,
      Supplier<List<Member>> members,
      long askNanos) {
    this.context = context;
    this.sequencer = sequencer;
    this.steward = steward;
    this.members = members;
    this.askNanos = askNanos;
  }

  void operate(ClientCall client, ClientRequest.Administer adminRequest) {
    Optional<String> other =
        switch (adminRequest.adminRequest()) {
          case AdminRequest.OfTables _ -> otherRelease("tables are consulted");
          case AdminRequest.ChangeControl _ -> otherRelease("settings are changed one by one");
          default -> Optional.empty();
        };
    if (other.isPresent()) {
      reply(client, notNow(other.get()));
      return;
    }
    ask(
        call -> new AdminRequestTold(call, adminRequest.adminRequest(), adminRequest.id()),
        reply -> reply(client, reply));
  }

  void decisions(ClientCall client, ClientRequest.AskDecisions ask) {
    share(client, new Question.OfDecisions(ask.range()));
  }

  void balance(ClientCall client) {
    share(client, new Question.OfBalance());
  }

  void objectives(ClientCall client) {
    share(client, new Question.OfObjectives());
  }

  void control(ClientCall client) {
    share(client, new Question.OfControl());
  }

  void tables(ClientCall client) {
    ofTables(client, new Question.OfTables());
  }

  void table(ClientCall client, String name) {
    if (name.matches(AdminRequest.OfTables.NAME_PATTERN)) {
      ofTables(client, new Question.OfWholeTable(name));
    } else {
      reply(client, notNow("no table has such a name"));
    }
  }

  private void ofTables(ClientCall client, Question question) {
    Optional<String> other = otherRelease("tables are consulted");
    if (other.isPresent()) {
      reply(client, notNow(other.get()));
    } else {
      share(client, question);
    }
  }

  /**
   * What is wrong with a request: who leads may be of a release that does not know it, and would
   * cut the connection.
   *
   * @param what is done by nodes of one release alone
   */
  private Optional<String> otherRelease(String what) {
    Optional<String> own = release(context.self());
    return sequencer
        .leader()
        .flatMap(
            leader ->
                release(leader)
                    .filter(release -> own.isPresent() && !own.get().equals(release))
                    .map(
                        release ->
                            "%s, which leads, is of release \"%s\", and %s of \"%s\": %s when all"
                                    .formatted(leader, release, context.self(), own.get(), what)
                                + " nodes are of one"));
  }

  private Optional<String> release(NodeId node) {
    return members.get().stream()
        .filter(member -> member.node().equals(node))
        .map(member -> member.info().traits().version())
        .findFirst();
  }

  /** Who is told that asks no other node. */
  private static ClientReply notNow(String why) {
    return new ClientReply.Refused(RefusalCode.BAD_REQUEST, why);
  }

  private void share(ClientCall client, Question question) {
    if (waitingCount >= WAITING_MAX) {
      reply(
          client,
          new ClientReply.Refused(
              RefusalCode.OVERLOADED, "too many ask the steward on this node", AGAIN_MILLIS));
      return;
    }
    waitingCount++;
    waiting.computeIfAbsent(question, _ -> new ArrayList<>()).add(client);
    if (!asking) {
      asking = true;
      askNext();
    }
  }

  /** Asks what has waited longest, and after a pause what has come meanwhile. */
  private void askNext() {
    if (waiting.isEmpty()) {
      asking = false;
      return;
    }
    Map.Entry<Question, List<ClientCall>> first = waiting.entrySet().iterator().next();
    Question next = first.getKey();
    List<ClientCall> clients = first.getValue();
    waiting.remove(next);
    ask(
        call ->
            switch (next) {
              case Question.OfBalance() -> new BalanceRequest(call);
              case Question.OfObjectives() -> new ObjectivesRequest(call);
              case Question.OfControl() -> new ControlRequest(call);
              case Question.OfTables() -> new TablesRequest(call);
              case Question.OfWholeTable(var name) -> new WholeTableRequest(call, name);
              case Question.OfDecisions(var range) -> new DecisionsRequest(call, range);
            },
        reply -> {
          waitingCount -= clients.size();
          clients.forEach(client -> reply(client, reply));
          context.after(PAUSE_NANOS, this::askNext);
        });
  }

  private void ask(LongFunction<NodeMessage> question, Consumer<ClientReply> then) {
    Optional<NodeId> leader = sequencer.leader();
    if (leader.isEmpty()) {
      then.accept(refused("no node leads at present"));
      return;
    }
    context.ask(
        leader.get(), question, askNanos, answer -> then.accept(reply(leader.get(), answer)));
  }

  private static ClientReply reply(NodeId leader, Optional<NodeMessage> answer) {
    if (answer.isPresent() && answer.get() instanceof DecisionsReply reply && reply.isSteward()) {
      return new ClientReply.Decided(leader, reply.decisions());
    }
    if (answer.isPresent()
        && answer.get() instanceof BalanceReply reply
        && reply.balance().isPresent()) {
      return reply.balance().get();
    }
    if (answer.isPresent()
        && answer.get() instanceof ObjectivesReply reply
        && reply.objectives().isPresent()) {
      return reply.objectives().get();
    }
    if (answer.isPresent()
        && answer.get() instanceof ControlReply reply
        && reply.control().isPresent()) {
      return reply.control().get();
    }
    if (answer.isPresent()
        && answer.get() instanceof TablesReply reply
        && reply.tables().isPresent()) {
      return reply.tables().get();
    }
    if (answer.isPresent()
        && answer.get() instanceof WholeTableReply reply
        && reply.table().isPresent()) {
      return reply.table().get();
    }
    return refused(
        answer.isPresent()
            ? leader + " does not lead, or not yet"
            : "the steward on " + leader + " does not answer");
  }

  /** At the steward. */
  void asked(NodeId from, BalanceRequest request) {
    context.send(from, new BalanceReply(request.call(), steward.balance()));
  }

  /** At the steward. */
  void asked(NodeId from, ObjectivesRequest request) {
    context.send(
        from, new ObjectivesReply(request.call(), steward.serviceLevels().objectiveLines()));
  }

  /** At the steward. */
  void asked(NodeId from, ControlRequest request) {
    context.send(from, new ControlReply(request.call(), steward.serviceLevels().controlLines()));
  }

  /** At the steward. */
  void asked(NodeId from, TablesRequest request) {
    context.send(from, new TablesReply(request.call(), steward.serviceLevels().tableLines()));
  }

  /** At the steward. */
  void asked(NodeId from, WholeTableRequest request) {
    context.send(
        from,
        new WholeTableReply(request.call(), steward.serviceLevels().wholeTable(request.name())));
  }

  private static ClientReply refused(String why) {
    return new ClientReply.Refused(RefusalCode.UNAVAILABLE, why);
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
