package org.ecstore.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the store's catalog says of a table.
 *
 * @param name of the table
 * @param lifetime how long its records live that name no other, if they expire
 * @param indexes in the order of their names
 * @param dropped whether it is being dropped: then it takes no writes
 */
public record TableDescription(
    String name, Optional<Duration> lifetime, List<IndexDescription> indexes, boolean dropped) {
  public TableDescription {
    indexes = List.copyOf(indexes);
  }

  /** An index by its name. */
  public Optional<IndexDescription> index(String wanted) {
    return indexes.stream().filter(index -> index.name().equals(wanted)).findFirst();
  }

  /** This table with an index, in the place of one of that name. */
  TableDescription with(IndexDescription index) {
    List<IndexDescription> all = new ArrayList<>(without(index.name()).indexes);
    all.add(index);
    all.sort((one, other) -> one.name().compareTo(other.name()));
    return new TableDescription(name, lifetime, all, dropped);
  }

  /** This table without an index. */
  TableDescription without(String index) {
    return new TableDescription(
        name,
        lifetime,
        indexes.stream().filter(each -> !each.name().equals(index)).toList(),
        dropped);
  }

  /** This table with another lifetime. */
  TableDescription living(Optional<Duration> other) {
    return new TableDescription(name, other, indexes, dropped);
  }

  /** This table, being dropped. */
  TableDescription beingDropped() {
    return new TableDescription(name, lifetime, indexes, true);
  }

  /** Whether transactions that write records write entries of indexes. */
  boolean isIndexed() {
    return indexes.stream().anyMatch(IndexDescription::isMaintained);
  }
}
