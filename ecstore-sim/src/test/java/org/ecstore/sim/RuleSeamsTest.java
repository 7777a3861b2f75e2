package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.txn.node.Node;
import org.junit.jupiter.api.Test;

/**
 * Seams for planted bugs: each is taken by a bug that {@link PlantedBugsSimTest} finds, and what a
 * subclass may change of the protocol is marked as a seam.
 */
class RuleSeamsTest {
  @Test
  void eachSeamHasAPlantedBug() throws Exception {
    Set<String> seams = new TreeSet<>();
    for (Class<?> owner : protocol()) {
      Arrays.stream(owner.getDeclaredMethods())
          .filter(method -> method.isAnnotationPresent(RuleSeam.class))
          .forEach(method -> seams.add(name(owner, method)));
    }
    Set<String> planted = planted();
    assertEquals(Set.of(), without(seams, planted), "seams without a planted bug");
    assertFalse(seams.isEmpty(), "seams are found");
  }

  @Test
  void whatMayBeOverriddenIsASeam() throws Exception {
    Set<String> unmarked = new TreeSet<>();
    for (Class<?> owner : protocol()) {
      for (Method method : owner.getDeclaredMethods()) {
        int modifiers = method.getModifiers();
        boolean open =
            Modifier.isProtected(modifiers)
                && !Modifier.isFinal(modifiers)
                && !method.isSynthetic()
                && !owner.isEnum()
                && !overrides(owner, method);
        if (open && !method.isAnnotationPresent(RuleSeam.class)) {
          unmarked.add(name(owner, method));
        }
      }
    }
    assertEquals(Set.of(), unmarked, "protected methods that are no seams");
  }

  @Test
  void eachSeamSaysWhichRuleOrDecisionAsksForIt() throws Exception {
    Set<String> groundless = new TreeSet<>();
    for (Class<?> owner : protocol()) {
      for (Method method : owner.getDeclaredMethods()) {
        RuleSeam seam = method.getAnnotation(RuleSeam.class);
        if (seam != null && seam.value().length + seam.decisions().length == 0) {
          groundless.add(name(owner, method));
        }
      }
    }
    assertEquals(Set.of(), groundless, "seams that no rule and no decision asks for");
  }

  /** The seams that planted bugs override. */
  private static Set<String> planted() throws Exception {
    Set<String> planted = new TreeSet<>();
    for (Class<?> plant : classes(PlantedBugs.class)) {
      if (isPlant(plant)) {
        for (Method method : plant.getDeclaredMethods()) {
          for (Class<?> owner = plant.getSuperclass();
              owner != null;
              owner = owner.getSuperclass()) {
            declared(owner, method).ifPresent(found -> planted.add(found));
          }
        }
      }
    }
    return planted;
  }

  private static boolean isPlant(Class<?> of) {
    Class<?> above = of.getSuperclass();
    return of.getSimpleName().isEmpty()
        || of.getName().contains("Planted")
        || (above != null && OnePart.class.equals(above.getEnclosingClass()));
  }

  private static Optional<String> declared(Class<?> owner, Method method) {
    return Arrays.stream(owner.getDeclaredMethods())
        .filter(one -> one.getName().equals(method.getName()))
        .filter(one -> Arrays.equals(one.getParameterTypes(), method.getParameterTypes()))
        .filter(one -> one.isAnnotationPresent(RuleSeam.class))
        .findFirst()
        .map(one -> name(owner, one));
  }

  private static boolean overrides(Class<?> owner, Method method) {
    for (Class<?> above = owner.getSuperclass(); above != null; above = above.getSuperclass()) {
      if (declared(above, method).isPresent()) {
        return true;
      }
    }
    return false;
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    return all.stream()
        .filter(one -> !some.contains(one))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String name(Class<?> owner, Method method) {
    return owner.getName() + "#" + method.getName();
  }

  private static List<Class<?>> protocol() throws IOException, URISyntaxException {
    return Stream.concat(classes(CopyTable.class).stream(), classes(Node.class).stream()).toList();
  }

  /** All classes that were compiled together with one. */
  private static List<Class<?>> classes(Class<?> one) throws IOException, URISyntaxException {
    Path place = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      return classesBelow(place);
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return classesBelow(jar.getPath("/"));
    }
  }

  private static List<Class<?>> classesBelow(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
          .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
          .<Class<?>>map(RuleSeamsTest::load)
          .toList();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, RuleSeamsTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
