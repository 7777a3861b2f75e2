package org.ecstore.client.routing;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.ecstore.id.ReadPoint;

/**
 * The latest point that a session has seen: of its own commits, settled unknowns included, of
 * aborts, and of every snapshot it has used (rule 9). The next snapshot is no earlier. Remembers
 * which node told the latest point: that one need not catch up to serve it. Safe for use by several
 * threads.
 */
public final class SessionToken {
  private record Held(ReadPoint point, String address, long nanos) {}

  private final AtomicReference<Held> held;

  public SessionToken(ReadPoint start) {
    held = new AtomicReference<>(new Held(start, "", 0));
  }

  /**
   * Takes in a point that a node has told now; an earlier one than the latest is no news.
   *
   * @param nowNanos by the client's clock
   */
  public void advance(ReadPoint point, String address, long nowNanos) {
    held.accumulateAndGet(
        new Held(point, address, nowNanos),
        (old, news) -> old.point.position().isAfter(news.point.position()) ? old : news);
  }

  /** The latest point seen. */
  public ReadPoint point() {
    return held.get().point;
  }

  /**
   * The latest point seen, if a node told it since a moment; empty if this session has seen none.
   */
  public Optional<ReadPoint> since(long nanos) {
    Held now = held.get();
    return now.address.isEmpty() || now.nanos - nanos < 0
        ? Optional.empty()
        : Optional.of(now.point);
  }

  /** Addresses to begin at, best first. */
  public List<String> addresses() {
    String address = held.get().address;
    return address.isEmpty() ? List.of() : List.of(address);
  }
}
