package org.ecstore.txn.qos.objective;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.objective.Objective;

/**
 * The objectives that stand, each application's one, and the last changes of them. Immutable.
 *
 * @param promises in the order of their applications' names
 * @param changes the newest last, {@link #CHANGES_MAX} at most
 */
public record ObjectiveBook(List<Promise> promises, List<ObjectiveChange> changes) {
  /** Applications with an objective. */
  public static final int PROMISES_MAX = 64;

  /** Changes that are remembered. */
  public static final int CHANGES_MAX = 100;

  /** None, and none ever. */
  public static final ObjectiveBook EMPTY = new ObjectiveBook(List.of(), List.of());

  /** An objective that stands, and since when. */
  public record Promise(Objective objective, long sinceMillis) {}

  public ObjectiveBook {
    promises = List.copyOf(promises);
    changes = List.copyOf(changes);
  }

  /** What was done on a request, if that was one of the last changes. */
  public Optional<ObjectiveChange> ofRequest(long request) {
    return changes.stream()
        .filter(change -> request != 0 && change.request() == request)
        .findFirst();
  }

  /** What an application is promised, if that is anything. */
  public Optional<Promise> of(String application) {
    return promises.stream()
        .filter(promise -> promise.objective().application().equals(application))
        .findFirst();
  }

  /** Why a request cannot be done, in a sentence that says what to do; absent if it can. */
  public Optional<String> refusal(AdminRequest.OfObjectives request) {
    return switch (request) {
      case AdminRequest.SetObjective(var objective, _) -> refusal(objective);
      case AdminRequest.RemoveObjective(var application, _) ->
          of(application).isPresent()
              ? Optional.empty()
              : Optional.of(
                  "the application \"" + application + "\" has no objective: see slo status");
    };
  }

  private Optional<String> refusal(Objective objective) {
    List<String> faults = objective.faults();
    if (!faults.isEmpty()) {
      return Optional.of(String.join("; ", faults));
    }
    List<Promise> others =
        promises.stream()
            .filter(promise -> !promise.objective().application().equals(objective.application()))
            .toList();
    for (Promise other : others) {
      Optional<String> table = objective.commonWith(other.objective());
      if (table.isPresent()) {
        return Optional.of(
            "the table %s is of the application \"%s\" already: a table has one objective"
                .formatted(table.get(), other.objective().application()));
      }
    }
    return others.size() >= PROMISES_MAX
        ? Optional.of(
            "there are " + PROMISES_MAX + " objectives already: remove one, by slo remove")
        : Optional.empty();
  }

  /** Whether a request would leave all as it is. */
  public boolean has(AdminRequest.OfObjectives request) {
    return request instanceof AdminRequest.SetObjective(var objective, _)
        && of(objective.application())
            .filter(promise -> promise.objective().equals(objective))
            .isPresent();
  }

  /**
   * Whether a request states no more of an application than stands: it takes nothing of others that
   * was not promised already.
   */
  public boolean asksNoMore(AdminRequest.OfObjectives request) {
    return request instanceof AdminRequest.SetObjective(var objective, _)
        && of(objective.application())
            .filter(promise -> LesserDemand.is(objective, promise.objective()))
            .isPresent();
  }

  /** The book after a request that is not refused. */
  public ObjectiveBook after(AdminRequest.OfObjectives request, long id) {
    Objective about =
        switch (request) {
          case AdminRequest.SetObjective(var objective, _) -> objective;
          case AdminRequest.RemoveObjective(var application, _) ->
              of(application).orElseThrow().objective();
        };
    boolean removed = request instanceof AdminRequest.RemoveObjective;
    List<Promise> standing = new ArrayList<>(promises);
    standing.removeIf(promise -> promise.objective().application().equals(request.application()));
    if (!removed) {
      standing.add(new Promise(about, request.atMillis()));
    }
    standing.sort(Comparator.comparing((Promise promise) -> promise.objective().application()));
    long number = changes.isEmpty() ? 1 : changes.getLast().number() + 1;
    List<ObjectiveChange> after = new ArrayList<>(changes);
    after.add(new ObjectiveChange(number, id, request.atMillis(), removed, about));
    return new ObjectiveBook(
        standing, after.subList(Math.max(0, after.size() - CHANGES_MAX), after.size()));
  }
}
