package org.ecstore.model.objective;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What an application has and does, as far as it states it.
 *
 * @param dataBytes of all its records, without their copies
 * @param recordBytes of one record, in the mean
 * @param readPercent of 100 operations so many read only
 */
public record ObjectiveWorkload(
    OptionalLong dataBytes,
    OptionalInt recordBytes,
    OptionalInt readPercent,
    Optional<Locality> locality,
    Optional<OfferedLoad> load) {
  /** Nothing is stated. */
  public static final ObjectiveWorkload UNSTATED =
      new ObjectiveWorkload(
          OptionalLong.empty(),
          OptionalInt.empty(),
          OptionalInt.empty(),
          Optional.empty(),
          Optional.empty());

  /** The same with a load. */
  public ObjectiveWorkload with(OfferedLoad offered) {
    return new ObjectiveWorkload(
        dataBytes, recordBytes, readPercent, locality, Optional.of(offered));
  }
}
