package org.ecstore.tools.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.ecstore.tools.architecture.Strata.Stratum;

/** The picture of the modules and the list of their packages, as the compiled classes are. */
final class Structure {
  private static final Pattern COMMENT =
      Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s*@NullMarked", Pattern.DOTALL);

  private static final Pattern FENCED = Pattern.compile("```mermaid\n.*?```\n", Pattern.DOTALL);

  private final String root;

  /** Each package, without the root, with those that its classes name. */
  private final Map<String, Set<String>> named = new TreeMap<>();

  private Structure(JavaClasses production, String root) {
    this.root = root;
    for (JavaClass one : production) {
      Set<String> others =
          named.computeIfAbsent(below(one.getPackageName()).orElseThrow(), _ -> new TreeSet<>());
      for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
        below(dependency.getTargetClass().getBaseComponentType().getPackageName())
            .ifPresent(others::add);
      }
    }
    named.forEach((own, others) -> others.remove(own));
  }

  private Optional<String> below(String name) {
    return name.startsWith(root + ".")
        ? Optional.of(name.substring(root.length() + 1))
        : Optional.empty();
  }

  /** As the classes are. */
  static Structure of(JavaClasses production, String root) {
    return new Structure(production, root);
  }

  /** The modules as a diagram, between fences. */
  String picture() {
    StringBuilder text = new StringBuilder("```mermaid\ngraph TD\n");
    arrows().forEach(arrow -> text.append("  ").append(arrow).append('\n'));
    return text.append("```\n").toString();
  }

  /** A document that has a diagram, with this one in its place. */
  String withPicture(String document) {
    return FENCED.matcher(document).replaceFirst(Matcher.quoteReplacement(picture()));
  }

  /** The document. */
  String text() throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        # Structure

        `bin/ecstore verify --structure` writes this page from the compiled classes and the packages' Javadoc;
        `StructureTest` fails when it is stale.
        An arrow goes from the module that names to the one that is named; what follows from other arrows is left out.
        `benchmarks` stands on all of it. What may name what is in `Strata`; why, in
        [decision 0039](decisions/0039-modules-are-what-is-started-or-depended-on.md).

        """);
    text.append(picture());
    for (Stratum module : Stratum.values()) {
      text.append("\n## ecstore-").append(module.module()).append("\n\n");
      text.append("| package | what it has | names, in this module |\n|---|---|---|\n");
      for (String each : named.keySet()) {
        if (of(each) == module) {
          text.append("| `%s` | %s | %s |\n".formatted(each, has(each), names(each)));
        }
      }
    }
    return text.toString();
  }

  private static Stratum of(String inner) {
    return Stratum.of(inner)
        .orElseThrow(() -> new AssertionError("no module has package " + inner));
  }

  private Set<String> arrows() {
    Map<Stratum, Set<Stratum>> direct = new EnumMap<>(Stratum.class);
    for (Stratum module : Stratum.values()) {
      direct.put(module, new TreeSet<>());
    }
    named.forEach((own, others) -> others.forEach(other -> link(direct, of(own), of(other))));
    Set<String> arrows = new TreeSet<>();
    direct.forEach(
        (from, all) ->
            all.stream()
                .filter(to -> all.stream().noneMatch(by -> by != to && reaches(direct, by, to)))
                .forEach(to -> arrows.add(from.module() + " --> " + to.module())));
    return arrows;
  }

  private static void link(Map<Stratum, Set<Stratum>> direct, Stratum from, Stratum to) {
    if (from != to) {
      direct.computeIfAbsent(from, _ -> new TreeSet<>()).add(to);
    }
  }

  private static boolean reaches(Map<Stratum, Set<Stratum>> direct, Stratum from, Stratum to) {
    Set<Stratum> next = direct.getOrDefault(from, Set.of());
    return next.contains(to) || next.stream().anyMatch(by -> reaches(direct, by, to));
  }

  private String names(String inner) {
    return named.getOrDefault(inner, Set.of()).stream()
        .filter(other -> of(other) == of(inner))
        .map(other -> "`" + other + "`")
        .collect(Collectors.joining(" "));
  }

  private String has(String inner) throws IOException {
    Path end = Path.of((root + "." + inner).replace('.', '/'), "package-info.java");
    for (Path file : Sources.files("main")) {
      if (file.endsWith(end)) {
        Matcher comment = COMMENT.matcher(Files.readString(file));
        if (comment.find()) {
          return MessageList.firstSentence(comment.group(1));
        }
      }
    }
    throw new AssertionError("a package needs a sentence of Javadoc: " + inner);
  }
}
