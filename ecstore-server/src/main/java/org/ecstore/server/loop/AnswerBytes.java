package org.ecstore.server.loop;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;

/** How many bytes of rows something carries: what an answer holds of memory, but for little. */
public final class AnswerBytes {
  private AnswerBytes() {}

  /** Of a reply to a client. */
  public static long of(ClientReply reply) {
    return switch (reply) {
      case ClientReply.Values values -> ofFound(values.rows());
      case ClientReply.Scanned scanned -> ofRows(scanned.rows());
      case ClientReply.BegunWith both -> of(both.answer());
      case ClientReply.ChangesRead read -> ofChanges(read.commits());
      default -> 0;
    };
  }

  /** Of an event. */
  static long of(Event event) {
    return event instanceof Event.EngineDone done
        ? switch (done.result()) {
          case EngineResult.Found found -> ofFound(found.rows());
          case EngineResult.Rows rows -> ofRows(rows.rows());
          default -> 0;
        }
        : 0;
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
