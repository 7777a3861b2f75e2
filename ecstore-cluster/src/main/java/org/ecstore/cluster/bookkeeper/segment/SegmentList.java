package org.ecstore.cluster.bookkeeper.segment;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.ecstore.check.Check;

/**
 * The segments of a ledger in order, as one znode says it, in lines of text.
 *
 * <pre>
 * ecstore-ledger 1
 * cluster 123e4567-e89b-12d3-a456-426614174000
 * 17 0
 * 21 48113
 * </pre>
 *
 * A line for each segment: its BookKeeper ledger, and the last position before it. A segment but
 * the last is closed, so the last position in it is the one before the next.
 */
public record SegmentList(UUID cluster, List<Segment> segments) {
  private static final String HEADER = "ecstore-ledger 1";
  private static final String CLUSTER = "cluster ";

  /**
   * A segment.
   *
   * @param ledger BookKeeper's id; ids only grow and none is used twice
   * @param after the last position before it
   */
  public record Segment(long ledger, long after) {}

  public SegmentList {
    segments = List.copyOf(segments);
    for (int i = 1; i < segments.size(); i++) {
      Check.that(
          segments.get(i - 1).after() <= segments.get(i).after(),
          "segments are in the order of their positions",
          segments.get(i - 1),
          segments.get(i));
    }
  }

  /** What is in the znode is not a list of segments. */
  public static final class BadList extends Exception {
    private static final long serialVersionUID = 1L;

    public BadList(String message) {
      super(message);
    }
  }

  public static SegmentList empty(UUID cluster) {
    return new SegmentList(cluster, List.of());
  }

  public byte[] encode() {
    StringBuilder text = new StringBuilder();
    text.append(HEADER).append('\n').append(CLUSTER).append(cluster).append('\n');
    for (Segment segment : segments) {
      text.append(segment.ledger()).append(' ').append(segment.after()).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  public static SegmentList decode(byte[] data) throws BadList {
    List<String> lines = new String(data, StandardCharsets.UTF_8).lines().toList();
    if (lines.size() < 2 || !lines.get(0).equals(HEADER) || !lines.get(1).startsWith(CLUSTER)) {
      throw new BadList("it begins with none of the formats this program knows");
    }
    try {
      UUID cluster = UUID.fromString(lines.get(1).substring(CLUSTER.length()));
      List<Segment> segments = new ArrayList<>();
      for (String line : lines.subList(2, lines.size())) {
        int space = line.indexOf(' ');
        segments.add(
            new Segment(
                Long.parseLong(line, 0, Math.max(0, space), 10),
                Long.parseLong(line, space + 1, line.length(), 10)));
      }
      return new SegmentList(cluster, segments);
    } catch (IllegalArgumentException e) {
      throw new BadList("unreadable: " + e.getMessage());
    }
  }

  boolean isEmpty() {
    return segments.isEmpty();
  }

  Segment last() {
    return segments.getLast();
  }

  public boolean contains(long ledger) {
    return segments.stream().anyMatch(segment -> segment.ledger() == ledger);
  }

  /** The ledgers of all segments. */
  Set<Long> ledgers() {
    return segments.stream().map(Segment::ledger).collect(Collectors.toSet());
  }

  /** Whether a ledger is the last segment, the one that takes entries. */
  public boolean endsWith(long ledger) {
    return !isEmpty() && last().ledger() == ledger;
  }

  /** Everything at or below is gone; 0 if nothing was trimmed. */
  public long trimmed() {
    return isEmpty() ? 0 : segments.getFirst().after();
  }

  /** The index of the segment that holds a position, or the first after it. */
  int indexOf(long position) {
    int index = segments.size() - 1;
    while (index > 0 && segments.get(index).after() >= position) {
      index--;
    }
    return index;
  }

  /**
   * With one more segment. The segments before it are closed, so those that begin where it begins
   * are empty for ever, and left out.
   */
  public SegmentList with(Segment next) {
    List<Segment> all = new ArrayList<>(segments);
    while (!all.isEmpty() && all.getLast().after() == next.after()) {
      all.removeLast();
    }
    all.add(next);
    return new SegmentList(cluster, all);
  }

  /** Without the segments that have positions below one only; the last one always stays. */
  SegmentList without(long below) {
    int kept = 0;
    while (kept + 1 < segments.size() && segments.get(kept + 1).after() < below) {
      kept++;
    }
    return new SegmentList(cluster, segments.subList(kept, segments.size()));
  }

  /** The ledgers that are here and not in another list. */
  public List<Long> missingIn(SegmentList other) {
    Set<Long> there = other.ledgers();
    return segments.stream().map(Segment::ledger).filter(id -> !there.contains(id)).toList();
  }
}
