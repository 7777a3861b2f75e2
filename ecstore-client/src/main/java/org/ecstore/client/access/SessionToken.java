package org.ecstore.client.access;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.ecstore.id.ReadPoint;

/**
 * The latest point that a session has seen: of its own commits, settled unknowns included, of
 * aborts, and of every snapshot it has used (rule 9). The next snapshot is no earlier. Remembers
 * which node told the latest point: that one need not catch up to serve it. Safe for use by several
 * threads.
 */
public final class SessionToken {
  private record Held(ReadPoint point, String address) {}

  private final AtomicReference<Held> held;

  public SessionToken(ReadPoint start) {
    held = new AtomicReference<>(new Held(start, ""));
  }

  /** Takes in a point that a node has told; an earlier one than the latest is no news. */
  public void advance(ReadPoint point, String address) {
    held.accumulateAndGet(
        new Held(point, address),
        (old, news) -> old.point.position().isAfter(news.point.position()) ? old : news);
  }

  /** The latest point seen. */
  public ReadPoint point() {
    return held.get().point;
  }

  /** Addresses to begin at, best first. */
  List<String> addresses() {
    String address = held.get().address;
    return address.isEmpty() ? List.of() : List.of(address);
  }
}
