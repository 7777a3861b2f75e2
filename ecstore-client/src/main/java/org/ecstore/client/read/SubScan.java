package org.ecstore.client.read;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.routing.Attempts;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.jspecify.annotations.Nullable;

/**
 * A part of a scan's interval, fetched page by page from its near end, which is its start or, in
 * reverse, its end. Invariant: the pages ready, then what is under way, then {@code rest} tile what
 * has not been handed over of it, in scan order. For one thread.
 */
final class SubScan {
  /** A page that has come. */
  record Page(ClientReply.Scanned scanned, AnsweredBy by, long bytes) {
    static Page of(ClientReply.Scanned scanned, AnsweredBy by) {
      long bytes = 0;
      for (Row row : scanned.rows()) {
        bytes += row.key().length() + row.value().length();
      }
      return new Page(scanned, by, bytes);
    }
  }

  /** A request on its way: for what, and at most how many records. */
  record Asked(CopyCalls.Call call, KeyRange keys, int records) {}

  private final Deque<Page> ready = new ArrayDeque<>();
  private Optional<KeyRange> rest;
  private @Nullable Asked asked;
  private @Nullable Tries tries;

  /** No copy could answer when it was read ahead: it is asked again when its reader comes to it. */
  private boolean stuck;

  /**
   * The tries to get one page.
   *
   * @param fetch number of the call of the reader that they belong to
   * @param needed whether the reader waits for it; otherwise it is read ahead
   */
  record Tries(CopyCalls calls, Attempts attempts, long fetch, boolean needed) {}

  SubScan(Optional<KeyRange> rest) {
    this.rest = rest;
  }

  Optional<KeyRange> rest() {
    return rest;
  }

  @Nullable Asked asked() {
    return asked;
  }

  @Nullable Tries tries() {
    return tries;
  }

  boolean isStuck() {
    return stuck;
  }

  boolean hasReady() {
    return !ready.isEmpty();
  }

  /** Whether everything of it has been handed over. */
  boolean isOver() {
    return ready.isEmpty() && asked == null && rest.isEmpty();
  }

  long bytes() {
    long bytes = asked == null ? 0 : ReadAhead.ANSWER_BYTES_MAX;
    for (Page page : ready) {
      bytes += page.bytes();
    }
    return bytes;
  }

  long records() {
    long records = asked == null ? 0 : asked.records();
    for (Page page : ready) {
      records += page.scanned().rows().size();
    }
    return records;
  }

  void tryWith(Tries fresh) {
    tries = fresh;
    stuck = false;
  }

  /** The piece ends with what is asked for; what is behind that belongs to another piece now. */
  void ask(Asked request) {
    asked = request;
    rest = Optional.empty();
  }

  /** Nothing came of the request: all of it has to be asked for again. */
  void failed() {
    if (asked != null) {
      rest = Optional.of(asked.keys());
      asked = null;
    }
  }

  /** A page has come, and leaves a rest of what was asked for. */
  void answered(Page page, Optional<KeyRange> left) {
    asked = null;
    tries = null;
    rest = left;
    ready.add(page);
  }

  void giveUp() {
    tries = null;
    stuck = true;
  }

  Page take() {
    return ready.remove();
  }
}
