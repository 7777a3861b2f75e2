package org.ecstore.model.control;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What an operator changes of {@link ControlSettings}; what is absent stays as it is, whatever it
 * is by then.
 *
 * @param costMaxMilli of an hour of all nodes, in thousandths; 0 for no bound
 */
public record ControlChange(
    Optional<ControlMode> mode, OptionalInt nodesMax, OptionalLong costMaxMilli) {
  /** What makes other settings of some, and no more. */
  public static ControlChange between(ControlSettings now, ControlSettings then) {
    return new ControlChange(
        then.mode() == now.mode() ? Optional.empty() : Optional.of(then.mode()),
        then.nodesMax() == now.nodesMax() ? OptionalInt.empty() : OptionalInt.of(then.nodesMax()),
        then.costMaxMilli() == now.costMaxMilli()
            ? OptionalLong.empty()
            : OptionalLong.of(then.costMaxMilli()));
  }

  /** Whether it changes nothing. */
  public boolean isEmpty() {
    return mode.isEmpty() && nodesMax.isEmpty() && costMaxMilli.isEmpty();
  }

  /** The settings after it. */
  public ControlSettings of(ControlSettings now) {
    return new ControlSettings(
        mode.orElse(now.mode()),
        nodesMax.orElse(now.nodesMax()),
        costMaxMilli.orElse(now.costMaxMilli()));
  }
}
