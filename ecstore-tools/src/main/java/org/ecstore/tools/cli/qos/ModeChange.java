package org.ecstore.tools.cli.qos;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.ecstore.model.control.ControlChange;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.tools.objective.Amount;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;

/** What an operator wants of the controller, as options say it. */
final class ModeChange {
  private static final int DECIMALS = 3;

  private ModeChange() {}

  /**
   * The change; what is not given is absent.
   *
   * @throws BadInputException with all that is wrong
   */
  static ControlChange read(
      @Nullable String mode, @Nullable String nodesMax, @Nullable String costMax) {
    List<String> faults = new ArrayList<>();
    ControlChange change =
        new ControlChange(mode(mode, faults), nodes(nodesMax, faults), cost(costMax, faults));
    if (!faults.isEmpty()) {
      throw new BadInputException(String.join("; ", faults));
    }
    return change;
  }

  private static Optional<ControlMode> mode(@Nullable String word, List<String> faults) {
    if (word == null) {
      return Optional.empty();
    }
    Optional<ControlMode> known = ControlMode.of(word.strip());
    if (known.isEmpty()) {
      faults.add("the mode must be freeze, observe, ask or act, not \"%s\"".formatted(word));
    }
    return known;
  }

  private static OptionalInt nodes(@Nullable String text, List<String> faults) {
    if (text == null) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of((int) Amount.count("--nodes-max", text, ControlSettings.NODES_MAX));
    } catch (BadInputException e) {
      faults.add(String.valueOf(e.getMessage()));
      return OptionalInt.empty();
    }
  }

  private static OptionalLong cost(@Nullable String text, List<String> faults) {
    if (text == null) {
      return OptionalLong.empty();
    }
    if (!text.strip().matches("[0-9]{1,10}(\\.[0-9]{1,3})?")) {
      faults.add(
          "--cost-max must be the price of an hour with three decimals at most, as 0.3, or 0 for"
              + " no bound, not \"%s\"".formatted(text));
      return OptionalLong.empty();
    }
    return OptionalLong.of(new BigDecimal(text.strip()).movePointRight(DECIMALS).longValueExact());
  }
}
