package org.ecstore.txn.qos.control.book;

import org.ecstore.model.AdminRequest;
import org.ecstore.model.control.ControlSettings;

/** What is wanted of the controller, in words. */
public final class ControlText {
  private static final double THOUSAND = 1_000;

  private ControlText() {}

  /** What is asked for. */
  public static String of(AdminRequest.OfControl request) {
    return switch (request) {
      case AdminRequest.SetControl(var settings) -> "set the controller to " + of(settings);
      case AdminRequest.AnswerAction(var action, var isApproved) ->
          (isApproved ? "approve action " : "reject action ") + action;
    };
  }

  /** {@code act, with 5 nodes and 0.3 an hour at most}. */
  public static String of(ControlSettings settings) {
    return "%s, with %d nodes%s at most"
        .formatted(
            settings.mode().word(),
            settings.nodesMax(),
            settings.costMaxMilli() == 0
                ? ""
                : " and " + settings.costMaxMilli() / THOUSAND + " an hour");
  }
}
