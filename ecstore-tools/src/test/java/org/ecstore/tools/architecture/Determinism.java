package org.ecstore.tools.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ecstore.tools.architecture.Strata.Stratum;

/**
 * What the protocol strata never touch: threads, clocks, chance, files, sockets, and collections
 * whose order differs from run to run. One seed must give one history.
 */
final class Determinism {
  private static final List<Stratum> PROTOCOL =
      List.of(Stratum.WIRE, Stratum.CORE, Stratum.REPLICATION, Stratum.TXN);

  /** A unit is not concurrency. */
  private static final Set<String> HARMLESS_CONCURRENT = Set.of("java.util.concurrent.TimeUnit");

  /** Work in memory only. */
  private static final Set<String> HARMLESS_IO =
      Set.of(
          "java.io.Serializable",
          "java.io.IOException",
          "java.io.UncheckedIOException",
          "java.io.EOFException",
          "java.io.InputStream",
          "java.io.OutputStream",
          "java.io.ByteArrayInputStream",
          "java.io.ByteArrayOutputStream");

  /** {@code Class.method}: the clock, chance without a seed, and order without meaning. */
  private static final Set<String> FORBIDDEN_CALLS =
      Set.of(
          "java.lang.System.nanoTime",
          "java.lang.System.currentTimeMillis",
          "java.lang.System.identityHashCode",
          "java.lang.System.getenv",
          "java.lang.Math.random",
          "java.lang.StrictMath.random",
          "java.util.UUID.randomUUID",
          "java.util.random.RandomGenerator.getDefault",
          "java.util.random.RandomGenerator.of",
          "java.util.random.RandomGeneratorFactory.getDefault",
          "java.util.Set.of",
          "java.util.Set.copyOf",
          "java.util.Map.of",
          "java.util.Map.ofEntries",
          "java.util.Map.copyOf",
          "java.util.stream.Collectors.toUnmodifiableSet",
          "java.util.stream.Collectors.toUnmodifiableMap",
          "java.util.Collection.parallelStream");

  /** Made without arguments these seed themselves. */
  private static final Set<String> SELF_SEEDED =
      Set.of("java.util.Random", "java.util.SplittableRandom");

  private Determinism() {}

  /** All rules. */
  static List<ArchRule> rules(String root) {
    return List.of(
        noThreads(root), noInputOutput(root), noForbiddenCalls(root), noIdentityMaps(root));
  }

  private static GivenClassesConjunction protocolClasses(String root) {
    List<String> packages = new ArrayList<>();
    PROTOCOL.forEach(stratum -> packages.addAll(List.of(stratum.packages(root))));
    return noClasses().that().resideInAnyPackage(packages.toArray(String[]::new));
  }

  static ArchRule noThreads(String root) {
    return protocolClasses(root)
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.util.concurrent..")
                .and(notAmong(HARMLESS_CONCURRENT))
                .or(named("java.lang.Thread"))
                .or(named("java.lang.ThreadLocal"))
                .or(named("java.util.Timer")))
        .because("a node's logic runs on its event loop only");
  }

  static ArchRule noInputOutput(String root) {
    return protocolClasses(root)
        .should()
        .dependOnClassesThat(
            resideInAPackage("java.io")
                .and(notAmong(HARMLESS_IO))
                .or(
                    resideInAnyPackage(
                        "java.nio.file..", "java.nio.channels..", "java.net..", "javax.net..")))
        .because("a node's logic reaches files and sockets through ports");
  }

  static ArchRule noForbiddenCalls(String root) {
    return protocolClasses(root)
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "is a clock, unseeded chance, or a collection without a fixed order",
                Determinism::isForbidden))
        .because("one seed must give one history");
  }

  static ArchRule noIdentityMaps(String root) {
    return protocolClasses(root)
        .should()
        .dependOnClassesThat(
            named("java.util.IdentityHashMap")
                .or(named("java.util.WeakHashMap"))
                .or(named("java.security.SecureRandom"))
                .or(resideInAPackage("java.time").and(hasClock())))
        .because("one seed must give one history");
  }

  private static boolean isForbidden(JavaAccess<?> access) {
    AccessTarget target = access.getTarget();
    String owner = target.getOwner().getName();
    if (FORBIDDEN_CALLS.contains(owner + "." + target.getName())) {
      return true;
    }
    if (owner.startsWith("java.time.") && target.getName().equals("now")) {
      return true;
    }
    return isSelfSeeding(target) || isUnseededShuffle(target);
  }

  private static boolean isSelfSeeding(AccessTarget target) {
    return target instanceof AccessTarget.CodeUnitAccessTarget unit
        && SELF_SEEDED.contains(target.getOwner().getName())
        && target.getName().equals("<init>")
        && unit.getRawParameterTypes().isEmpty();
  }

  private static boolean isUnseededShuffle(AccessTarget target) {
    return target instanceof AccessTarget.CodeUnitAccessTarget unit
        && target.getFullName().startsWith("java.util.Collections.shuffle(")
        && unit.getRawParameterTypes().size() == 1;
  }

  private static DescribedPredicate<JavaClass> named(String name) {
    return DescribedPredicate.describe(name, type -> type.getName().equals(name));
  }

  private static DescribedPredicate<JavaClass> notAmong(Set<String> names) {
    return DescribedPredicate.describe("not harmless", type -> !names.contains(type.getName()));
  }

  private static DescribedPredicate<JavaClass> hasClock() {
    return named("java.time.Clock").or(named("java.time.InstantSource"));
  }
}
