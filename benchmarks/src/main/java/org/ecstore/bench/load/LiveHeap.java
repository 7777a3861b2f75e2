package org.ecstore.bench.load;

import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the objects of a Java process take after a full collection, which it is made to do. */
public final class LiveHeap {
  /** As {@code Total 412345 123456789}: objects, bytes. */
  private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)\\s*");

  private LiveHeap() {}

  /** In bytes; absent for a process that is not Java's, or gone. */
  public static OptionalLong of(long pid) throws InterruptedException {
    return total(Jcmd.ask(pid, "GC.class_histogram").orElse(List.of()));
  }

  private static OptionalLong total(List<String> said) {
    OptionalLong found = OptionalLong.empty();
    for (String line : said) {
      Matcher total = TOTAL.matcher(line);
      if (total.matches()) {
        found = OptionalLong.of(Long.parseLong(total.group(1)));
      }
    }
    return found;
  }
}
