package org.ecstore.txn.qos.measured;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.model.NodeTraits;
import org.ecstore.txn.qos.table.TableSetting;
import org.ecstore.txn.qos.table.TableSubject;

/**
 * Holds what a table was measured on against the nodes that are there: what they say of themselves
 * in their membership. Of another build, class, engine or capacity, a table says nothing of them.
 */
final class NodeKinds {
  private static final int NAMED = 5;

  private NodeKinds() {}

  /** What a table does not say that has to be known of it, a sentence each. */
  static List<String> unsaid(TableSubject subject) {
    List<String> unsaid = new ArrayList<>();
    unsaid(unsaid, "build", subject.build().isPresent());
    unsaid(unsaid, "class", subject.nodeClass().isPresent());
    unsaid(unsaid, "engine", subject.engine().isPresent());
    unsaid(unsaid, "capacity", subject.capacity().isPresent());
    unsaid(unsaid, "reads-percent", subject.readPercent().isPresent());
    return unsaid;
  }

  private static void unsaid(List<String> to, String key, boolean isSaid) {
    if (!isSaid) {
      to.add("it has no line \"# %s: ...\", as tables of qos measure have".formatted(key));
    }
  }

  /**
   * In what the nodes are others than those of the table, a sentence each; none if they are not.
   * What the table does not say does not differ.
   */
  static List<String> differences(TableSubject subject, List<Member> members) {
    List<String> differences = new ArrayList<>();
    differ(differences, "build", subject.build(), members, NodeTraits::version);
    differ(differences, "node class", subject.nodeClass(), members, NodeTraits::nodeClass);
    differ(differences, "engine", subject.engine(), members, NodeTraits::engine);
    differ(differences, "capacity", subject.capacity(), members, NodeKinds::capacity);
    return differences;
  }

  private static String capacity(NodeTraits traits) {
    return traits
        .capacity()
        .map(held -> TableSubject.capacityOf(held.processors().toPlainString()))
        .orElse(TableSubject.WHOLE);
  }

  private static void differ(
      List<String> to,
      String what,
      Optional<String> measured,
      List<Member> members,
      Function<NodeTraits, String> trait) {
    List<Member> others =
        members.stream()
            .filter(
                member ->
                    measured
                        .filter(value -> !value.equals(trait.apply(member.info().traits())))
                        .isPresent())
            .toList();
    if (!others.isEmpty()) {
      String theirs =
          others.stream()
              .map(member -> trait.apply(member.info().traits()))
              .distinct()
              .sorted()
              .limit(NAMED)
              .map(value -> value.isEmpty() ? "none that is known" : value)
              .collect(Collectors.joining(" and "));
      to.add(
          "it was measured on %s %s, and %s"
              .formatted(what, measured.orElse(""), have(others, theirs)));
    }
  }

  private static String have(List<Member> nodes, String what) {
    String named =
        nodes.stream()
            .limit(NAMED)
            .map(member -> member.node().toString())
            .collect(Collectors.joining(", "));
    int more = nodes.size() - NAMED;
    return "%s%s %s %s"
        .formatted(
            named,
            more > 0 ? " and %d more".formatted(more) : "",
            nodes.size() == 1 ? "has" : "have",
            what);
  }

  /** On what a table was measured: {@code je, class small, zipf-read, 100% reads, ...}. */
  static String words(TableSubject subject) {
    List<String> words = new ArrayList<>();
    if (!subject.words().isEmpty()) {
      words.add(subject.words());
    }
    if (subject.readPercent().isPresent()) {
      words.add(Math.round(subject.readPercent().getAsDouble()) + "% reads");
    }
    subject.build().ifPresent(build -> words.add("build " + build));
    subject.capacity().ifPresent(capacity -> words.add("capacity " + capacity));
    subject.setting().copies().ifPresent(count -> words.add(TableSetting.copiesWords(count)));
    if (!subject.setting().unsteady().isEmpty()) {
      words.add("not steady " + subject.setting().unsteadyWords());
    }
    return String.join(", ", words);
  }
}
