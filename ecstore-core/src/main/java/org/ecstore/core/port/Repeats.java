package org.ecstore.core.port;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Lines about what is tried again and again until it succeeds: one is said at once, and while it
 * comes again only every ten seconds, with the number of times in between. Lines are the same if
 * they differ in numbers only. When it succeeds, {@link #settled} makes the next line news again.
 * For one thread.
 */
public final class Repeats {
  private static final long AGAIN_NANOS = 10_000_000_000L;
  private static final int LINES_MAX = 32;
  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  private final Clock clock;

  /** What was said, the oldest first. */
  private final Map<String, Said> lines = new LinkedHashMap<>();

  /** Nothing was said yet. */
  public Repeats(Clock clock) {
    this.clock = clock;
  }

  private record Said(long nanos, long unsaid) {}

  /** The line to say, if it has to be said now. */
  public Optional<String> toSay(String line) {
    String same = NUMBER.matcher(line).replaceAll("0");
    Optional<Said> before = Optional.ofNullable(lines.remove(same));
    long now = clock.nanos();
    if (before.isPresent() && now - before.get().nanos() < AGAIN_NANOS) {
      lines.put(same, new Said(before.get().nanos(), before.get().unsaid() + 1));
      return Optional.empty();
    }
    if (lines.size() == LINES_MAX) {
      lines.remove(lines.keySet().iterator().next());
    }
    lines.put(same, new Said(now, 0));
    long unsaid = before.map(Said::unsaid).orElse(0L);
    return Optional.of(
        unsaid == 0 ? line : line + " (" + unsaid + " times more since it was said)");
  }

  /** What was tried has succeeded, or is not tried any more. */
  public void settled() {
    if (!lines.isEmpty()) {
      lines.clear();
    }
  }
}
