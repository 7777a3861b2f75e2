package org.ecstore.sim.mutant;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The protocol classes and the rules that their sources cite: Javadoc is not in class files, so a
 * table is kept beside them, which a test holds against the sources.
 */
final class ProtocolClasses {
  private static final String TABLE = "rules.txt";

  private final Map<String, TreeSet<Integer>> rules = new TreeMap<>();

  private ProtocolClasses() {}

  /** The table of this build. */
  static ProtocolClasses known() {
    ProtocolClasses known = new ProtocolClasses();
    Lines.of(TABLE).forEach(known::add);
    return known;
  }

  private void add(String line) {
    String[] words = line.split(" ", -1);
    TreeSet<Integer> cited = new TreeSet<>();
    for (int i = 1; i < words.length; i++) {
      cited.add(Integer.valueOf(words[i]));
    }
    rules.put(words[0], cited);
  }

  /** All of them, in order. */
  List<String> all() {
    return List.copyOf(rules.keySet());
  }

  /** Those that cite a rule. */
  List<String> citing(int rule) {
    List<String> found = new ArrayList<>();
    rules.forEach(
        (type, cited) -> {
          if (cited.contains(rule)) {
            found.add(type);
          }
        });
    return found;
  }

  /** The rules that a class cites. */
  List<Integer> rulesOf(String topLevel) {
    return List.copyOf(rules.getOrDefault(topLevel, new TreeSet<>()));
  }
}
