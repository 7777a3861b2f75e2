package org.ecstore.client.fake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.client.secret.OperatorProof;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientReply.ObjectiveChangeLine;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.QuotaLine;
import org.ecstore.protocol.ClientRequest;

/** What the node that leads keeps of objectives, and the door before it. Not safe for threads. */
public final class FakeObjectives {
  private static final NodeId LEADER = new NodeId(1);
  private static final ServiceFigures FIGURES =
      new ServiceFigures(0, Duration.ofSeconds(30).toMillis(), 900, 800, 1, 2_000, 9_000, 15_000);

  private final Optional<ClusterSecret> secret;
  private final Map<String, Bytes> challenges = new HashMap<>();
  private final TreeMap<String, ObjectiveLine> standing = new TreeMap<>();
  private final List<ObjectiveChangeLine> changes = new ArrayList<>();
  private final Map<Long, DecisionLine> decided = new HashMap<>();

  /** How often a request is under way before it is done. */
  public int underWay;

  /** Whether requests come to be over by being put off. */
  public boolean putsOff;

  /**
   * None.
   *
   * @param secret that changes need, if they need any
   */
  public FakeObjectives(Optional<ClusterSecret> secret) {
    this.secret = secret;
  }

  /** How many requests were told, each once. */
  public int told() {
    return decided.size();
  }

  /** The answer; absent if it is about something else. */
  Optional<ClientReply> reply(String address, ClientRequest request) {
    if (request instanceof ClientRequest.AskChallenge) {
      return Optional.of(challenge(address));
    } else if (request instanceof ClientRequest.AskObjectives) {
      return Optional.of(
          new ClientReply.Objectives(
              LEADER,
              List.copyOf(standing.values()),
              changes,
              standing.values().stream()
                  .filter(line -> line.objective().quotaBytes().isPresent())
                  .map(line -> new QuotaLine(line.objective().application(), Optional.of(7L), true))
                  .toList()));
    } else if (request instanceof ClientRequest.Administer administer) {
      return Optional.of(administer(address, administer));
    }
    return Optional.empty();
  }

  private static ClientReply bad(String why) {
    return new ClientReply.Refused(RefusalCode.BAD_REQUEST, why);
  }

  private ClientReply challenge(String address) {
    if (secret.isEmpty()) {
      return bad("requests need no proof here");
    }
    Bytes fresh = ClusterSecret.challenge();
    challenges.put(address, fresh);
    return new ClientReply.Challenge(fresh);
  }

  private ClientReply administer(String address, ClientRequest.Administer request) {
    Optional<Bytes> asked = Optional.ofNullable(challenges.remove(address));
    if (secret.isPresent() && asked.isEmpty()) {
      return bad("a request without a challenge before it");
    }
    if (secret.isPresent() && !OperatorProof.isGood(secret.get(), asked.get(), request)) {
      return bad("the operator does not have the secret of this cluster");
    }
    if (underWay > 0) {
      underWay--;
      return decided(line(DecisionLine.UNDER_WAY, "it waits"));
    }
    if (putsOff) {
      return decided(line(DecisionLine.PUT_OFF, "coordination does not answer"));
    }
    return decided(
        decided.computeIfAbsent(
            request.id(), id -> done((AdminRequest.OfObjectives) request.adminRequest())));
  }

  private static ClientReply decided(DecisionLine line) {
    return new ClientReply.Decided(LEADER, List.of(line));
  }

  private static DecisionLine line(String outcome, String detail) {
    return new DecisionLine(
        1, Optional.of(0L), 0, "operator", List.of(), "objective", "", outcome, detail);
  }

  private DecisionLine done(AdminRequest.OfObjectives request) {
    if (request instanceof AdminRequest.SetObjective set) {
      Objective objective = set.objective();
      Optional<ObjectiveLine> other =
          standing.values().stream()
              .filter(line -> !line.objective().application().equals(objective.application()))
              .filter(line -> objective.commonWith(line.objective()).isPresent())
              .findFirst();
      if (other.isPresent()) {
        return line("refused", "the table is of another application already");
      }
      standing.put(
          objective.application(),
          new ObjectiveLine(
              objective, set.atMillis(), Optional.of(FIGURES), List.of(FIGURES, FIGURES)));
      changes.add(new ObjectiveChangeLine(changes.size() + 1, set.atMillis(), false, objective));
      return line(DecisionLine.DONE, "");
    }
    ObjectiveLine gone = standing.remove(request.application());
    if (gone == null) {
      return line("refused", "the application has no objective");
    }
    changes.add(
        new ObjectiveChangeLine(changes.size() + 1, request.atMillis(), true, gone.objective()));
    return line(DecisionLine.DONE, "");
  }
}
