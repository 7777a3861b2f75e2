package org.ecstore.tools.cli.slo;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.TableDescription;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.model.objective.Objective;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.ecstore.tools.cli.data.StoreAddress;
import org.ecstore.tools.terminal.BadInputException;

/**
 * Whether tables that objectives name are there: in the catalog, or with a record.
 *
 * @param there those that are
 */
record StatedTables(SortedSet<String> there) {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  /** So many of those that are there stand in a sentence. */
  private static final int NAMED_MAX = 20;

  StatedTables {
    there = new TreeSet<>(there);
  }

  /** Or why it is not known. */
  record Asked(Optional<StatedTables> tables, String why) {}

  /** Asks a cluster; without an objective that names a table nothing is. */
  static Asked of(ClusterAccess access, List<Objective> objectives) {
    TreeSet<String> wanted = new TreeSet<>();
    objectives.forEach(objective -> wanted.addAll(objective.tables()));
    if (wanted.isEmpty()) {
      return new Asked(Optional.of(new StatedTables(wanted)), "");
    }
    try (EcStore store =
        EcStore.connect(
            StoreAddress.of(access.nodes().orElse(null), access.directory().orElse(null)),
            EcStoreOptions.DEFAULT.deadline(ANSWER_WITHIN))) {
      return new Asked(Optional.of(of(store, wanted)), "");
    } catch (EcStoreException | BadInputException | IOException e) {
      return new Asked(Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  /**
   * Asks a store.
   *
   * @param wanted tables that are asked about: where the catalog has all of them that is enough
   */
  static StatedTables of(EcStore store, SortedSet<String> wanted) {
    TreeSet<String> there = new TreeSet<>();
    for (TableDescription table : store.catalog().tables()) {
      if (!table.dropped()) {
        there.add(table.name());
      }
    }
    if (!there.containsAll(wanted)) {
      there.addAll(store.tables());
      there.remove(Objective.OWN_TABLE);
    }
    return new StatedTables(there);
  }

  /** Those of an objective that are not there. */
  List<String> missing(Objective objective) {
    return objective.tables().stream()
        .filter(table -> !table.equals(Objective.OWN_TABLE) && !there.contains(table))
        .toList();
  }

  /** What is said of an objective whose tables are not all there. */
  Optional<String> warning(Objective objective) {
    List<String> missing = missing(objective);
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "%s: there is no table %s so far; %s"
            .formatted(
                objective.application(),
                String.join(", ", missing),
                there.isEmpty()
                    ? "there is none at all"
                    : "there are: "
                        + String.join(", ", there.stream().limit(NAMED_MAX).toList())
                        + (there.size() > NAMED_MAX
                            ? " and %d more".formatted(there.size() - NAMED_MAX)
                            : "")));
  }
}
