package org.ecstore.tools.cli.qos;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.ControlCheckLine;
import org.ecstore.server.print.Columns;
import org.ecstore.server.print.LogText;
import org.ecstore.tools.cli.slo.NodeLoadText;
import org.ecstore.tools.plan.Figures;
import org.ecstore.txn.qos.control.book.ControlText;

/** What the controller sees and does, as lines for people. */
final class ControlTable {
  private static final int WIDTH = 100;

  /** Actions that are shown; of more the newest. */
  private static final int SHOWN = 10;

  private static final String NONE = "-";
  private static final double MICROS_PER_MILLI = 1e3;

  private ControlTable() {}

  /** All of it. */
  static List<String> lines(Control control) {
    List<String> lines = new ArrayList<>(mode(control.settings(), control.provisioner()));
    lines.add("steward: " + control.steward());
    nodes(control, lines);
    checks(control, lines);
    control.limits().stream()
        .filter(ControlTable::isStanding)
        .map(ControlTable::limit)
        .forEach(lines::add);
    hotThreshold(control)
        .ifPresent(
            perSecond ->
                lines.add(
                    "hot-spot replicas: of copies with %d reads/s on, lowered by the controller"
                        .formatted(perSecond)));
    if (control.patience() > 1) {
      lines.add(
          "what is taken back waits for %d windows, for it was needed again too soon"
              .formatted(control.patience()));
    }
    actions(control, lines);
    return lines;
  }

  /** How far it may go, and by what means. */
  static List<String> mode(ControlSettings settings, String provisioner) {
    return List.of(
        "mode: %s; it %s".formatted(ControlText.of(settings), meaning(settings.mode())),
        "provisioner: "
            + (provisioner.isEmpty()
                ? "none: it can add and remove no node (provisioner.command)"
                : LogText.of(provisioner)));
  }

  private static String meaning(ControlMode mode) {
    return switch (mode) {
      case FREEZE ->
          "begins nothing; what is under way goes on, and so do limits and a threshold that stand";
      case OBSERVE -> "only says what it would do";
      case ASK -> "does what is approved";
      case ACT -> "does what it thinks right";
    };
  }

  private static void nodes(Control control, List<String> lines) {
    if (control.nodes().isEmpty()) {
      lines.add("no node has told of its load so far: they do so while an objective stands");
      return;
    }
    List<String[]> rows = new ArrayList<>();
    rows.add(NodeLoadText.titles("node"));
    control
        .nodes()
        .forEach(line -> rows.add(NodeLoadText.row(line.node().toString(), line.load())));
    lines.addAll(Columns.align(rows, WIDTH));
  }

  private static String millis(long micros) {
    return micros == 0 ? "0 ms" : Figures.millis(micros / MICROS_PER_MILLI);
  }

  private static void checks(Control control, List<String> lines) {
    if (control.checks().isEmpty()) {
      lines.add("no objective was checked so far: state one by slo set");
    }
    control.checks().stream().map(ControlTable::check).forEach(lines::add);
  }

  private static String check(ControlCheckLine line) {
    return line.checks() < line.needed()
        ? "%s: violated in %d of %d checks, %d are needed"
            .formatted(
                LogText.of(line.application()), line.violated(), line.checks(), line.needed())
        : "%s: violated in %d of the last %d checks"
            .formatted(LogText.of(line.application()), line.violated(), line.checks());
  }

  /** Whether there is any limit for that application. */
  static boolean isStanding(ServiceLimit limit) {
    return limit.perSecond() > 0 || limit.promisedPerSecond() > 0;
  }

  private static String limit(ServiceLimit limit) {
    List<String> parts = new ArrayList<>();
    if (limit.perSecond() > 0) {
      parts.add(limit.perSecond() + "/s at most");
    }
    if (limit.promisedPerSecond() > 0) {
      parts.add(limit.promisedPerSecond() + "/s are owed to it");
    }
    return LogText.of(limit.application()) + ": " + String.join(", ", parts);
  }

  /**
   * From how many reads a second of a copy on it has nodes make hot-spot replicas; empty if they do
   * that as they are configured. Of a node that does not say it the last actions do, as far as they
   * go back.
   */
  static OptionalLong hotThreshold(Control control) {
    return control.hotThreshold().isPresent()
        ? LongStream.of(control.hotThreshold().getAsLong()).filter(one -> one > 0).findFirst()
        : hotThreshold(control.actions());
  }

  private static OptionalLong hotThreshold(List<ControlAction> actions) {
    return actions.reversed().stream()
        .filter(action -> stands(action.stage()))
        .filter(
            action ->
                action.kind() == ActionKind.LOWER_THRESHOLD
                    || action.kind() == ActionKind.RAISE_THRESHOLD)
        .limit(1)
        .filter(action -> action.kind() == ActionKind.LOWER_THRESHOLD)
        .mapToLong(ControlAction::perSecond)
        .findFirst();
  }

  /** Whether what was decided is so from that stage on. */
  private static boolean stands(ActionStage stage) {
    return switch (stage) {
      case UNDER_WAY, MEASURING, DONE -> true;
      case PROPOSED, FAILED, WITHDRAWN -> false;
    };
  }

  private static void actions(Control control, List<String> lines) {
    List<ControlAction> all = control.actions();
    if (all.isEmpty()) {
      lines.add("it has done nothing so far");
      return;
    }
    List<ControlAction> shown = all.subList(Math.max(0, all.size() - SHOWN), all.size());
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"number", "what", "for", "stage", "predicted", "measured", "detail"});
    shown.forEach(action -> rows.add(row(action)));
    lines.addAll(Columns.align(rows, WIDTH));
    if (shown.size() < all.size()) {
      lines.add("%d earlier ones: qos status --json".formatted(all.size() - shown.size()));
    }
    shown.subList(0, shown.size() - 1).stream()
        .filter(action -> action.stage() == ActionStage.FAILED)
        .forEach(action -> detail(action, lines));
    last(control.settings().mode(), all.getLast(), lines);
  }

  /** Uncut. */
  private static void detail(ControlAction action, List<String> lines) {
    if (!action.detail().isEmpty()) {
      lines.add(
          "action %d, %s: %s"
              .formatted(action.number(), action.stage().words(), LogText.of(action.detail())));
    }
  }

  private static String[] row(ControlAction action) {
    return new String[] {
      String.valueOf(action.number()),
      LogText.of(action.what()),
      action.about().isEmpty() ? NONE : LogText.of(action.about()),
      action.stage().words(),
      response(action.predictedMicros()),
      response(action.afterMicros()),
      action.detail().isEmpty() ? NONE : LogText.of(action.detail())
    };
  }

  private static String response(long micros) {
    return micros == 0 ? NONE : millis(micros);
  }

  /** The newest without its text clipped, and what an operator can do about it. */
  private static void last(ControlMode mode, ControlAction action, List<String> lines) {
    lines.add("action %d, why: %s".formatted(action.number(), LogText.of(action.why())));
    detail(action, lines);
    if (action.stage() == ActionStage.PROPOSED && mode == ControlMode.ASK) {
      lines.add(
          "action %1$d waits for an answer: qos approve %1$d, or qos reject %1$d"
              .formatted(action.number()));
    }
  }
}
