package org.ecstore.txn.qos.control.book;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.control.ControlChange;
import org.ecstore.model.control.ControlSettings;

/** What is wanted of the controller, in words. */
public final class ControlText {
  private static final int DECIMALS = 3;

  private ControlText() {}

  /** What is asked for. */
  public static String of(AdminRequest.OfControl request) {
    return switch (request) {
      case AdminRequest.SetControl(var settings) -> "set the controller to " + of(settings);
      case AdminRequest.ChangeControl(var change) -> "set the controller to " + of(change);
      case AdminRequest.AnswerAction(var action, var isApproved) ->
          (isApproved ? "approve action " : "reject action ") + action;
    };
  }

  /** {@code freeze}; {@code act, with 5 nodes at most}; {@code no bound of the price}. */
  private static String of(ControlChange change) {
    List<String> bounds = new ArrayList<>();
    change.nodesMax().ifPresent(most -> bounds.add("%d nodes at most".formatted(most)));
    change
        .costMaxMilli()
        .ifPresent(
            milli ->
                bounds.add(
                    milli == 0
                        ? "no bound of the price"
                        : "%s an hour at most".formatted(price(milli))));
    String with = String.join(" and ", bounds);
    return change
        .mode()
        .map(mode -> mode.word() + (with.isEmpty() ? "" : ", with " + with))
        .orElse(with);
  }

  /** {@code act, with 5 nodes and 0.3 an hour at most}. */
  public static String of(ControlSettings settings) {
    return "%s, with %d nodes%s at most"
        .formatted(
            settings.mode().word(),
            settings.nodesMax(),
            settings.costMaxMilli() == 0
                ? ""
                : " and " + price(settings.costMaxMilli()) + " an hour");
  }

  private static String price(long milli) {
    return BigDecimal.valueOf(milli, DECIMALS).stripTrailingZeros().toPlainString();
  }
}
