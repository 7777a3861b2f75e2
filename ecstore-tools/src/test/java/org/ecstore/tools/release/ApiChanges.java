package org.ecstore.tools.release;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.model.JApiBehavior;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What an application that was compiled against one jar cannot do with another. */
final class ApiChanges {
  private ApiChanges() {}

  /** Each as {@code class: change} or {@code class.member: change}, in order. */
  static TreeSet<String> breaking(Path before, Path now) {
    JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
    options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
    TreeSet<String> found = new TreeSet<>();
    for (JApiClass type :
        new JarArchiveComparator(options)
            .compare(
                new JApiCmpArchive(before.toFile(), "before"),
                new JApiCmpArchive(now.toFile(), "now"))) {
      String name = type.getFullyQualifiedName();
      add(found, name, type);
      type.getFields().forEach(field -> add(found, name + "." + field.getName(), field));
      Stream.<JApiBehavior>concat(type.getMethods().stream(), type.getConstructors().stream())
          .forEach(member -> add(found, name + "." + signature(member), member));
    }
    return found;
  }

  private static String signature(JApiBehavior member) {
    List<String> parameters = new ArrayList<>();
    member.getParameters().forEach(parameter -> parameters.add(parameter.getType()));
    return member.getName() + "(" + String.join(",", parameters) + ")";
  }

  private static void add(TreeSet<String> found, String name, JApiCompatibility changed) {
    changed.getCompatibilityChanges().stream()
        .filter(change -> !change.isBinaryCompatible() || !change.isSourceCompatible())
        .forEach(change -> found.add(name + ": " + change.getType()));
  }
}
