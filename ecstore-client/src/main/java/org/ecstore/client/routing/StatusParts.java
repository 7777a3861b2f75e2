package org.ecstore.client.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.Holders;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;
import org.jspecify.annotations.Nullable;

/**
 * What nodes know of nodes and ranges, asked for in parts: of a cluster with very many ranges it
 * would be longer than one answer may be. The parts are of one map, and may be of several nodes;
 * where the map has changed meanwhile it is begun anew, some times. A node of an earlier release
 * answers with all of it at once. Not safe for use by several threads.
 */
public final class StatusParts {
  /** Ranges of one part: with the longest keys these are some megabytes, usually 100 kB. */
  static final int RANGES_MAX = 500;

  /** So often it is begun anew; then the ranges are taken as each part has them. */
  static final int BEGUN_MAX = 8;

  private final Optional<KeyRange> keys;
  private final List<Route> ranges = new ArrayList<>();
  private final List<Holders> holders = new ArrayList<>();
  private @Nullable StatusReport first;
  private int begun;

  /**
   * Nothing is known yet.
   *
   * @param keys of which ranges are asked for; absent for all
   */
  public StatusParts(Optional<KeyRange> keys) {
    this.keys = keys;
  }

  /** What to ask the node next. */
  public ClientRequest.Status next() {
    return new ClientRequest.Status(
        end()
            .<Optional<KeyRange>>map(
                end -> Optional.of(KeyRange.between(end, keys.flatMap(KeyRange::end))))
            .orElse(keys),
        RANGES_MAX);
  }

  /** Up to where ranges are known; absent if none is, or there are none behind them. */
  private Optional<Bytes> end() {
    return ranges.isEmpty()
        ? Optional.empty()
        : ranges.get(ranges.size() - 1).keys().end().filter(keys.orElse(KeyRange.ALL)::isBelowEnd);
  }

  /** Takes the answer to {@link #next}. Returns all of it once that was the last part. */
  public Optional<StatusReport> take(StatusReport part) {
    StatusReport known = first;
    if (known == null) {
      first = part;
      begun++;
    } else if (begun < BEGUN_MAX && !known.point().mapVersion().equals(part.point().mapVersion())) {
      first = null;
      ranges.clear();
      holders.clear();
      return Optional.empty();
    }
    Optional<Bytes> before = end();
    ranges.addAll(part.ranges());
    holders.addAll(part.holders());
    // What does not lead on is the end, whatever the node means by it.
    boolean leadsOn = end().filter(end -> before.map(end::compareTo).orElse(1) > 0).isPresent();
    return leadsOn ? Optional.empty() : Optional.of(whole());
  }

  private StatusReport whole() {
    StatusReport head = Objects.requireNonNull(first);
    return new StatusReport(
        head.point(), head.nodes(), List.copyOf(ranges), List.copyOf(holders), head.traits());
  }
}
