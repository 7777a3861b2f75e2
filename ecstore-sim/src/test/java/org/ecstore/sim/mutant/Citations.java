package org.ecstore.sim.mutant;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rules that the sources of protocol classes cite. */
final class Citations {
  private static final List<String> MODULES =
      List.of("ecstore-core", "ecstore-replication", "ecstore-txn");
  private static final Pattern CITATION =
      Pattern.compile(
          "\\b[Rr]ules?\\s+(\\d+(?:(?:\\s*,\\s*(?:and\\s+)?|\\s*-\\s*|\\s+and\\s+)\\d+)*)");
  private static final Pattern NUMBERS =
      Pattern.compile("/core/metrics/|/CommitMetrics\\.java$|/NodeGauges\\.java$");
  private static final Pattern PART = Pattern.compile("(\\d+)(?:\\s*-\\s*(\\d+))?");
  private static final Pattern LINE_OF_COMMENT = Pattern.compile("\\s*\\n\\s*(?:\\*|//)\\s*");

  private Citations() {}

  /** The table, a class on each line with the rules it cites. */
  static String table(Path checkout) throws IOException {
    TreeMap<String, TreeSet<Integer>> found = new TreeMap<>();
    for (String module : MODULES) {
      Path root = checkout.resolve(module).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(Citations::isClass).toList()) {
          found.put(nameOf(root, file), cited(Files.readString(file)));
        }
      }
    }
    return found.entrySet().stream()
        .map(entry -> line(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static boolean isClass(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".java") && !name.equals("package-info.java") && !isNumbersOnly(file);
  }

  /** What only tells numbers breaks no promise, whatever is changed in it. */
  private static boolean isNumbersOnly(Path file) {
    return NUMBERS.matcher(file.toString()).find();
  }

  private static String nameOf(Path root, Path file) {
    String name = root.relativize(file).toString().replace('/', '.');
    return name.substring(0, name.length() - ".java".length());
  }

  private static String line(String type, TreeSet<Integer> rules) {
    return type + rules.stream().map(rule -> " " + rule).collect(Collectors.joining());
  }

  /** The rules that a source names, lists and spans of them too. */
  static TreeSet<Integer> cited(String source) {
    TreeSet<Integer> rules = new TreeSet<>();
    Matcher citation = CITATION.matcher(LINE_OF_COMMENT.matcher(source).replaceAll(" "));
    while (citation.find()) {
      PART.matcher(citation.group(1)).results().forEach(part -> add(rules, part));
    }
    return rules;
  }

  private static void add(TreeSet<Integer> rules, MatchResult part) {
    int first = Integer.parseInt(part.group(1));
    int last = part.group(2) == null ? first : Integer.parseInt(part.group(2));
    for (int rule = first; rule <= last; rule++) {
      rules.add(rule);
    }
  }
}
