package org.ecstore.client;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.NotAllowedException;
import org.ecstore.client.error.ObjectiveRefusedException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.operator.StewardCalls;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.ClientTime;
import org.ecstore.client.session.Backend;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientRequest;

/**
 * What applications are promised of a store's cluster, and what they have: {@link
 * EcStore#objectives()}. It does what {@code bin/ecstore slo} does.
 *
 * <pre>{@code
 * store.objectives().set(
 *     Objective.guaranteed("shop")
 *         .tables("users", "orders")
 *         .p99(Duration.ofMillis(20))
 *         .rate(4_000)
 *         .reads(95));
 * store.objectives().status("shop").ifPresent(shop -> log(shop.verdict().word()));
 * }</pre>
 *
 * <p>Any client may look. <b>A client that changes something proves the cluster's secret</b>, which
 * {@link EcStoreOptions#secretFile} names. A program that has the secret can do all that a node
 * can: give it to the one that deploys an application, and not to the one that serves its pages. A
 * store of {@link EcStore#open(java.nio.file.Path)} whose node is in this process needs none; where
 * the node is beside it, on Java 17 to 24, nothing can be changed.
 *
 * <p>Each call asks the node that leads, through any node, within {@link EcStoreOptions#deadline}.
 * Safe for use by several threads. Paper: Cassandra QoS, §II; decisions 0072 and 0035.
 */
public final class Objectives {
  private final StewardCalls steward;
  private final ClientTime time;
  private final EcStoreOptions options;

  Objectives(Backend backend, EcStoreOptions options) {
    this.steward = new StewardCalls(backend.cluster());
    this.time = backend.cluster().time();
    this.options = options;
  }

  /**
   * An objective that was stated, or was removed.
   *
   * @param number counts the changes of a cluster, from 1
   * @param at when it was asked for, by the clock of who asked
   * @param removed whether the application has none any more: this one was its last
   */
  public record Stated(long number, Instant at, boolean removed, Objective objective) {}

  private Deadline deadline() {
    return Deadline.after(time.nanos(), options.deadline());
  }

  /**
   * States what applications need, each in place of what it has stated before. All are looked at
   * before the first is told; then one after the other is. To state what stands already changes
   * nothing. A cluster has 64 at most, and a table is of one.
   *
   * @throws WrongArgumentException if one contradicts itself or its bounds, with all that is wrong;
   *     nothing was told
   * @throws ObjectiveRefusedException if the cluster does not promise it, with what would fit;
   *     those before it stand
   * @throws NotAllowedException if this store has not the cluster's secret, or another one's
   * @throws UnavailableException if no node has taken it before the deadline
   * @throws EcStoreException with {@link ErrorCode#UNKNOWN_OUTCOME} if a node may have taken it:
   *     {@link #status} says, and to state it again is safe
   */
  public void set(Objective... objectives) {
    List<Objective> all = List.of(objectives);
    for (Objective objective : all) {
      List<String> faults = objective.faults();
      if (!faults.isEmpty()) {
        throw new WrongArgumentException(
            "the objective cannot be kept as it is",
            null,
            "application",
            objective.application(),
            "why",
            String.join("; ", faults));
      }
    }
    for (Objective objective : all) {
      tell(new AdminRequest.SetObjective(objective, time.millis()));
    }
  }

  /**
   * The application is promised nothing any more; its data and clients stay.
   *
   * @throws ObjectiveRefusedException if it has no objective
   * @throws NotAllowedException if this store has not the cluster's secret, or another one's
   * @throws UnavailableException if no node has taken it before the deadline
   * @throws EcStoreException with {@link ErrorCode#UNKNOWN_OUTCOME} if a node may have taken it:
   *     {@link #status} says
   */
  public void remove(String application) {
    tell(
        new AdminRequest.RemoveObjective(
            Objects.requireNonNull(application, "application"), time.millis()));
  }

  private void tell(AdminRequest.OfObjectives request) {
    DecisionLine line = steward.tell(request, options.secret(), deadline());
    if (line.isPutOff()) {
      throw new EcStoreException(
          ErrorCode.UNKNOWN_OUTCOME,
          "the cluster has put it off, and may have done it: ask for the state, or request the same"
              + " again",
          null,
          "application",
          request.application(),
          "why",
          line.detail());
    }
    if (!line.isDone()) {
      throw new ObjectiveRefusedException(
          "the cluster does not do it: " + line.outcome(),
          null,
          request.application(),
          line.detail());
    }
  }

  private ClientReply.Objectives asked() {
    return steward.ask(new ClientRequest.AskObjectives(), ClientReply.Objectives.class, deadline());
  }

  /**
   * All objectives that stand, in the order of their applications' names.
   *
   * @throws UnavailableException if no node knows them before the deadline
   */
  public List<ObjectiveStatus> all() {
    return ObjectiveStatus.of(asked());
  }

  /**
   * What an application is promised and has; empty if it has no objective.
   *
   * @throws UnavailableException if no node knows it before the deadline
   */
  public Optional<ObjectiveStatus> status(String application) {
    return all().stream().filter(one -> one.application().equals(application)).findFirst();
  }

  /**
   * How objectives were changed: the last hundred changes, the latest last.
   *
   * @throws UnavailableException if no node knows them before the deadline
   */
  public List<Stated> history() {
    return asked().changes().stream()
        .map(
            line ->
                new Stated(
                    line.number(),
                    Instant.ofEpochMilli(line.atMillis()),
                    line.removed(),
                    line.objective()))
        .toList();
  }

  /**
   * What the clients of an application measured, in slots of half a minute of the last twenty
   * minutes, as far as the node that leads was told; the latest is the last. Empty if none has told
   * of anything yet, or the application has no objective.
   *
   * @throws UnavailableException if no node knows it before the deadline
   */
  public List<ServiceFigures> history(String application) {
    return status(application).map(ObjectiveStatus::history).orElse(List.of());
  }
}
