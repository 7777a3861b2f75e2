package org.ecstore.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.QuotaLine;

/**
 * What an application is promised, and what it has: {@link Objectives#status}. It is old as soon as
 * it is there.
 *
 * @param objective that stands
 * @param since when it was stated, by the clock of who stated it
 * @param verdict whether it is kept, by {@code measured}
 * @param measured what its clients had in the last five minutes, as they tell every 30 seconds
 *     ({@link EcStoreOptions#reportEvery}); absent if none has told of anything
 * @param history the same in slots of half a minute each, the latest last, of twenty minutes at
 *     most; a node that has just come to lead knows of none before
 * @param heldBytes what its tables hold, in bytes of keys and values, as nodes have said in the
 *     last seconds; absent if it has no quota, or the leading node does not know yet
 * @param refused whether nodes refuse what adds to its tables, as they hold as much as its quota
 */
public record ObjectiveStatus(
    Objective objective,
    Instant since,
    ServiceVerdict verdict,
    Optional<ServiceFigures> measured,
    List<ServiceFigures> history,
    Optional<Long> heldBytes,
    boolean refused) {
  public ObjectiveStatus {
    history = List.copyOf(history);
  }

  /** The name of the application. */
  public String application() {
    return objective.application();
  }

  /** Those of an answer, by name. */
  static List<ObjectiveStatus> of(ClientReply.Objectives answer) {
    return answer.objectives().stream()
        .map(line -> of(line, answer.quota(line.objective().application())))
        .toList();
  }

  private static ObjectiveStatus of(ObjectiveLine line, Optional<QuotaLine> quota) {
    return new ObjectiveStatus(
        line.objective(),
        Instant.ofEpochMilli(line.sinceMillis()),
        ServiceVerdict.of(line.objective(), line.recent()),
        line.recent(),
        line.slots(),
        quota.flatMap(QuotaLine::heldBytes),
        quota.map(QuotaLine::isRefused).orElse(false));
  }
}
