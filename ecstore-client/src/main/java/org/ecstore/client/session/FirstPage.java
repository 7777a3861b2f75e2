package org.ecstore.client.session;

import java.util.Optional;
import java.util.function.Supplier;
import org.ecstore.client.read.PageRequest;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.read.SubScans;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.scan.ScanPages;
import org.ecstore.key.KeyRange;
import org.ecstore.protocol.ClientReply;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a scan that may be what a snapshot begins with: the first one then comes with the
 * beginning, and the pieces are what is behind it. For one thread.
 */
final class FirstPage implements ScanPages {
  private final Opening opening;
  private final KeyRange interval;
  private final ScanShape shape;
  private final Supplier<Deadline> deadline;
  private final Pieces pieces;
  private @Nullable SubScans scan;

  /** Makes the pieces of what is left of an interval. */
  interface Pieces {
    SubScans of(KeyRange rest);
  }

  FirstPage(
      Opening opening,
      KeyRange interval,
      ScanShape shape,
      Supplier<Deadline> deadline,
      Pieces pieces) {
    this.opening = opening;
    this.interval = interval;
    this.shape = shape;
    this.deadline = deadline;
    this.pieces = pieces;
  }

  @Override
  public ClientReply.Scanned next(PageRequest page) {
    SubScans known = scan;
    if (known == null) {
      Optional<ClientReply.Scanned> first =
          opening.firstPage(interval, shape, page, deadline.get());
      if (first.isPresent()) {
        behind(first.get().covered()).ifPresent(rest -> scan = pieces.of(rest));
        return first.get();
      }
      known = pieces.of(interval);
      scan = known;
    }
    return known.next(page, deadline.get());
  }

  private Optional<KeyRange> behind(KeyRange covered) {
    if (shape.reverse()) {
      return covered.start().equals(interval.start())
          ? Optional.empty()
          : Optional.of(KeyRange.of(interval.start(), covered.start()));
    }
    return covered.end().equals(interval.end())
        ? Optional.empty()
        : Optional.of(KeyRange.between(covered.end().orElseThrow(), interval.end()));
  }
}
