package org.ecstore.tools.objective;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.objective.Objective;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.txn.qos.objective.ObjectiveBook;

/** What stands in a cluster, and whether more can be stated beside it. */
public final class StandingObjectives {
  private StandingObjectives() {}

  /** The objectives that stand, as a cluster says it. */
  public static ObjectiveBook of(Objectives answer) {
    return new ObjectiveBook(
        answer.objectives().stream()
            .map(line -> new ObjectiveBook.Promise(line.objective(), line.sinceMillis()))
            .toList(),
        List.of());
  }

  /**
   * What keeps objectives from being stated one after the other, a sentence each; none says whether
   * the cluster can promise them.
   */
  public static List<String> faults(ObjectiveBook standing, List<Objective> objectives) {
    List<String> faults = new ArrayList<>();
    ObjectiveBook book = standing;
    for (Objective one : objectives) {
      AdminRequest.SetObjective request = new AdminRequest.SetObjective(one, 0);
      Optional<String> refusal = book.refusal(request);
      if (refusal.isPresent()) {
        faults.add(one.application() + ": " + refusal.get());
      } else {
        book = book.after(request, 0);
      }
    }
    return faults;
  }
}
