package org.ecstore.server.loop;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Route;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;

/**
 * How many bytes something carries: what an answer holds of memory from the time that it is made.
 * Of rows these are the bytes of keys and values; all else is about as long as it is on the wire.
 */
public final class AnswerBytes {
  /** What any reply takes. */
  public static final long LITTLE = 64;

  /** A line of a list, beside its keys and texts: a node, a copy, a range without its copies. */
  private static final long LINE = 64;

  private AnswerBytes() {}

  /** Of a reply to a client. */
  public static long of(ClientReply reply) {
    return LITTLE + beside(reply);
  }

  private static long beside(ClientReply reply) {
    return switch (reply) {
      case ClientReply.Values values -> ofFound(values.rows());
      case ClientReply.Scanned scanned -> ofRows(scanned.rows());
      case ClientReply.BegunWith both -> beside(both.answer());
      case ClientReply.ChangesRead read -> ofChanges(read.commits());
      case ClientReply.QuorumValue value -> value.row().map(AnswerBytes::ofRow).orElse(0L);
      case ClientReply.Located located -> ofRoute(located.route());
      case ClientReply.WrongRange wrong -> ofRoutes(wrong.routes());
      case ClientReply.StatusReport report -> ofStatus(report);
      case ClientReply.Inspected inspected -> ofInspected(inspected);
      case ClientReply.Decided decided -> ofDecisions(decided.decisions());
      case ClientReply.Balance balance ->
          LINE * balance.nodes().size()
              + balance.steps().stream()
                  .mapToLong(step -> step.what().length() + step.why().length())
                  .sum();
      case ClientReply.Objectives objectives -> ofObjectives(objectives);
      case ClientReply.Control control ->
          LINE * (control.nodes().size() + control.checks().size() + control.limits().size())
              + 4 * LINE * control.actions().size();
      case ClientReply.Tables tables -> 4 * LINE * (tables.tables().size() + tables.uses().size());
      case ClientReply.WholeTable whole -> whole.text().map(String::length).orElse(0);
      case ClientReply.Explained _,
          ClientReply.Welcome _,
          ClientReply.Begun _,
          ClientReply.Behind _,
          ClientReply.Redirect _,
          ClientReply.Challenge _,
          ClientReply.Committed _,
          ClientReply.Aborted _,
          ClientReply.QuorumReached _,
          ClientReply.ChangesLost _,
          ClientReply.OutcomeUnknown _,
          ClientReply.OutcomeExpired _,
          ClientReply.Refused _ ->
          0;
    };
  }

  /**
   * Whether a refusal may take its place, as who asked has done nothing but look. A refusal says
   * that nothing was done.
   */
  public static boolean mayBeRefused(ClientReply reply) {
    return switch (reply) {
      case ClientReply.Values _,
          ClientReply.Scanned _,
          ClientReply.BegunWith _,
          ClientReply.ChangesRead _,
          ClientReply.QuorumValue _,
          ClientReply.StatusReport _,
          ClientReply.Inspected _,
          ClientReply.Explained _,
          ClientReply.Balance _,
          ClientReply.Objectives _,
          ClientReply.Control _,
          ClientReply.Tables _,
          ClientReply.WholeTable _ ->
          true;
      case ClientReply.Decided _,
          ClientReply.Located _,
          ClientReply.WrongRange _,
          ClientReply.Welcome _,
          ClientReply.Begun _,
          ClientReply.Behind _,
          ClientReply.Redirect _,
          ClientReply.Challenge _,
          ClientReply.Committed _,
          ClientReply.Aborted _,
          ClientReply.QuorumReached _,
          ClientReply.ChangesLost _,
          ClientReply.OutcomeUnknown _,
          ClientReply.OutcomeExpired _,
          ClientReply.Refused _ ->
          false;
    };
  }

  /** Of the rows of an event. */
  static long of(Event event) {
    return event instanceof Event.EngineDone done
        ? switch (done.result()) {
          case EngineResult.Found found -> ofFound(found.rows());
          case EngineResult.Rows rows -> ofRows(rows.rows());
          default -> 0;
        }
        : 0;
  }

  private static long ofStatus(ClientReply.StatusReport report) {
    long bytes =
        ofRoutes(report.ranges()) + LINE * (report.nodes().size() + 2L * report.traits().size());
    for (ClientReply.Holders holders : report.holders()) {
      bytes += LINE / 2 + LINE / 8 * holders.secondaries().size();
    }
    return bytes;
  }

  private static long ofRoutes(List<Route> routes) {
    long bytes = 0;
    for (Route route : routes) {
      bytes += ofRoute(route);
    }
    return bytes;
  }

  private static long ofRoute(Route route) {
    return LINE + ofKeys(route.keys()) + LINE / 2 * route.secondaries().size();
  }

  private static long ofKeys(KeyRange keys) {
    return (long) keys.start().length() + keys.end().map(Bytes::length).orElse(0);
  }

  private static long ofInspected(ClientReply.Inspected inspected) {
    long bytes =
        LINE
            * (inspected.facts().size()
                + inspected.rooms().size()
                + inspected.hotReplicas().fed().size());
    for (ClientReply.CopyLine copy : inspected.copies()) {
      bytes += LINE + ofKeys(copy.keys());
    }
    return bytes;
  }

  private static long ofDecisions(List<ClientReply.DecisionLine> decisions) {
    long bytes = 0;
    for (ClientReply.DecisionLine line : decisions) {
      bytes += LINE + line.what().length() + line.why().length() + line.detail().length();
    }
    return bytes;
  }

  private static long ofObjectives(ClientReply.Objectives objectives) {
    long lines =
        (long) objectives.objectives().size()
            + objectives.changes().size()
            + objectives.quotas().size()
            + objectives.nodes().size();
    for (ClientReply.ObjectiveLine line : objectives.objectives()) {
      lines += line.slots().size();
    }
    for (ClientReply.NodeHistoryLine line : objectives.nodes()) {
      lines += line.slots().size();
    }
    return LINE * lines;
  }

  private static long ofFound(List<Optional<Row>> rows) {
    long bytes = 0;
    for (Optional<Row> row : rows) {
      if (row.isPresent()) {
        bytes += ofRow(row.get());
      }
    }
    return bytes;
  }

  private static long ofRows(List<Row> rows) {
    long bytes = 0;
    for (Row row : rows) {
      bytes += ofRow(row);
    }
    return bytes;
  }

  private static long ofChanges(List<ClientReply.CommitChanges> commits) {
    long bytes = 0;
    for (ClientReply.CommitChanges commit : commits) {
      for (KeyWrite write : commit.writes()) {
        bytes += write.key().length() + write.mutation().length();
      }
    }
    return bytes;
  }

  private static long ofRow(Row row) {
    return (long) row.key().length() + row.value().length();
  }
}
