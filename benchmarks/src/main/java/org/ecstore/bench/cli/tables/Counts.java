package org.ecstore.bench.cli.tables;

import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.bench.cli.options.OptionFaults;

/** Numbers as options have them: {@code 8,16,32} or {@code 1..6}, or both with commas between. */
final class Counts {
  private static final Pattern PART = Pattern.compile("([0-9]{1,6})(?:\\.\\.([0-9]{1,6}))?");

  private Counts() {}

  /**
   * Reads some.
   *
   * @param faults takes what is wrong
   */
  static NavigableSet<Integer> read(String option, String text, int most, OptionFaults faults) {
    NavigableSet<Integer> counts = new TreeSet<>();
    for (String part : text.strip().split("\\s*,\\s*", -1)) {
      Matcher matcher = PART.matcher(part);
      int from = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
      int to = from > 0 && matcher.group(2) != null ? Integer.parseInt(matcher.group(2)) : from;
      if (from < 1 || to < from || to > most) {
        faults.add(
            "%s are numbers from 1 to %d, as 1,2,4 or 1..6, not \"%s\""
                .formatted(option, most, part));
      } else {
        for (int count = from; count <= to; count++) {
          counts.add(count);
        }
      }
    }
    return counts;
  }
}
