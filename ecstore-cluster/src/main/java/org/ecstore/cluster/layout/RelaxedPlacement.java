package org.ecstore.cluster.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node's configuration by which engines may lack what copies need (rule 23). */
public final class RelaxedPlacement {
  private static final Pattern TABLE = Pattern.compile("^\\s*\\[\\s*([^]]+?)\\s*]");
  private static final Pattern IN_TABLE = Pattern.compile("^\\s*relaxed\\s*=");
  private static final Pattern DOTTED = Pattern.compile("^\\s*placement\\s*\\.\\s*relaxed\\s*=");
  private static final String SECTION = "[placement]";
  private static final String LINE = "relaxed = true";

  private RelaxedPlacement() {}

  /**
   * The same configuration, with {@code placement.relaxed = true} in the place of what it said of
   * that; all else, as every comment, stays.
   */
  public static String of(String configuration) {
    List<String> text = new ArrayList<>();
    int table = -1;
    String within = "";
    for (String line : configuration.lines().toList()) {
      Matcher header = TABLE.matcher(line);
      boolean begins = header.find();
      if (begins) {
        within = header.group(1);
      }
      boolean ofTable = within.equals("placement") && IN_TABLE.matcher(line).find();
      if (ofTable || (within.isEmpty() && DOTTED.matcher(line).find())) {
        continue;
      }
      text.add(line);
      if (begins && within.equals("placement")) {
        table = text.size();
      }
    }
    if (table >= 0) {
      text.add(table, LINE);
    } else {
      text.addAll(List.of("", SECTION, LINE));
    }
    return String.join("\n", text) + "\n";
  }
}
