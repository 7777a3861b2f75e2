package org.ecstore.cluster.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A table of a node's configuration, changed line by line: all else, as every comment, stays. */
final class ConfigTable {
  /** The header of a table. */
  static final Pattern HEADER = Pattern.compile("^\\s*\\[\\s*([^]]+?)\\s*]");

  private ConfigTable() {}

  /**
   * A configuration of which some lines of a table have others in their place, whether they stand
   * below its header or with its name and a dot.
   *
   * @param name of the table, as {@code engine}
   * @param gone what the lines that go begin with, a regular expression: {@code (kind|url)\s*=}
   * @param lines as {@code kind = "je"}
   */
  static String replaced(String configuration, String name, String gone, List<String> lines) {
    Pattern inTable = Pattern.compile("^\\s*" + gone);
    Pattern asDotted = Pattern.compile("^\\s*" + name + "\\s*\\.\\s*" + gone);
    Pattern anyDotted = Pattern.compile("^\\s*" + name + "\\s*\\.");
    List<String> text = new ArrayList<>();
    int table = -1;
    int dotted = -1;
    String within = "";
    for (String line : configuration.lines().toList()) {
      Matcher header = HEADER.matcher(line);
      boolean begins = header.find();
      if (begins) {
        within = header.group(1);
      }
      boolean ofTable = within.equals(name) && inTable.matcher(line).find();
      if (ofTable || (within.isEmpty() && asDotted.matcher(line).find())) {
        continue;
      }
      if (within.isEmpty() && dotted < 0 && anyDotted.matcher(line).find()) {
        dotted = text.size();
      }
      text.add(line);
      if (begins && within.equals(name)) {
        table = text.size();
      }
    }
    if (table >= 0) {
      text.addAll(table, lines);
    } else if (dotted >= 0) {
      text.addAll(dotted, lines.stream().map(line -> name + "." + line).toList());
    } else {
      text.addAll(List.of("", "[" + name + "]"));
      text.addAll(lines);
    }
    return String.join("\n", text) + "\n";
  }
}
