package org.ecstore.tools.architecture;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The strata and who may name whom. Every rule takes the package under which the strata lie, so
 * that it can be shown to fail on fixtures.
 */
final class Strata {
  /** Each stratum with its packages below the root and the strata it may name. */
  enum Stratum {
    WIRE,
    CORE,
    REPLICATION,
    TXN,
    ENGINES,
    ENGINES_ROCKSDB,
    ENGINES_MYSQL,
    ENGINES_REDIS,
    CLIENT,
    CODEC_JSON,
    CODEC_PROTOBUF,
    SPRING,
    SPRING_BOOT3_STARTER,
    SPRING_BOOT_STARTER,
    VERIFY,
    SIM,
    SERVER,
    EMBEDDED,
    JUNIT,
    CLUSTER,
    TOOLS;

    private List<String> packages() {
      return switch (this) {
        case WIRE ->
            List.of(
                "aggregate..",
                "check..",
                "id..",
                "client.error..",
                "key..",
                "model..",
                "wire..",
                "protocol..");
        case CORE -> List.of("core..");
        case REPLICATION -> List.of("replication..");
        case TXN -> List.of("txn..");
        case ENGINES -> List.of("engines..");
        case ENGINES_ROCKSDB -> List.of("engines.rocksdb..");
        case ENGINES_MYSQL -> List.of("engines.mysql..");
        case ENGINES_REDIS -> List.of("engines.redis..");
        case CLIENT -> List.of("client..");
        case CODEC_JSON -> List.of("codec.json..");
        case CODEC_PROTOBUF -> List.of("codec.protobuf..");
        case SPRING -> List.of("spring..");
        case SPRING_BOOT3_STARTER -> List.of("spring.boot3..");
        case SPRING_BOOT_STARTER -> List.of("spring.boot4..");
        case VERIFY -> List.of("verify..");
        case SIM -> List.of("sim..");
        case SERVER -> List.of("server..");
        case EMBEDDED -> List.of("embedded..");
        case JUNIT -> List.of("junit..");
        case CLUSTER -> List.of("cluster..");
        case TOOLS -> List.of("tools..");
      };
    }

    private List<Stratum> below() {
      return switch (this) {
        case WIRE -> List.of();
        case CORE, CLIENT, VERIFY -> List.of(WIRE);
        case REPLICATION, ENGINES -> List.of(WIRE, CORE);
        case ENGINES_ROCKSDB, ENGINES_MYSQL, ENGINES_REDIS -> List.of(WIRE, CORE, ENGINES);
        case TXN -> List.of(WIRE, CORE, REPLICATION);
        case SIM -> List.of(WIRE, CORE, REPLICATION, TXN, ENGINES, VERIFY);
        case SERVER -> List.of(WIRE, CORE, REPLICATION, TXN, ENGINES, CLIENT);
        case EMBEDDED, JUNIT, CODEC_JSON, CODEC_PROTOBUF, SPRING -> List.of(WIRE, CLIENT);
        case SPRING_BOOT3_STARTER, SPRING_BOOT_STARTER -> List.of(WIRE, CLIENT, SPRING);
        case CLUSTER -> List.of(WIRE, CORE, REPLICATION, TXN, ENGINES, CLIENT, SERVER);
        case TOOLS ->
            List.of(WIRE, CORE, REPLICATION, TXN, ENGINES, CLIENT, VERIFY, SIM, SERVER, CLUSTER);
      };
    }

    /** The name of the module after {@code ecstore-}. */
    String module() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The stratum that lists the longest package that this one, without the root, is or is in. */
    static Optional<Stratum> of(String inner) {
      Optional<Stratum> found = Optional.empty();
      int longest = -1;
      for (Stratum stratum : values()) {
        for (String listed : stratum.packages()) {
          String prefix = listed.substring(0, listed.length() - 1);
          if ((inner + ".").startsWith(prefix) && prefix.length() > longest) {
            found = Optional.of(stratum);
            longest = prefix.length();
          }
        }
      }
      return found;
    }

    /** Its types. */
    private DescribedPredicate<JavaClass> types(String root) {
      return DescribedPredicate.describe(
          "are of " + module(),
          type ->
              type.getPackageName().startsWith(root + ".")
                  && of(type.getPackageName().substring(root.length() + 1))
                      .filter(stratum -> stratum == this)
                      .isPresent());
    }

    /** Patterns of this stratum's packages. */
    String[] packages(String root) {
      return packages().stream().map(name -> root + "." + name).toArray(String[]::new);
    }
  }

  private Strata() {}

  /** Lower strata never name upper ones. */
  static ArchRule layers(String root) {
    var layers = layeredArchitecture().consideringOnlyDependenciesInLayers();
    for (Stratum stratum : Stratum.values()) {
      layers = layers.optionalLayer(stratum.name()).definedBy(stratum.types(root));
    }
    for (Stratum stratum : Stratum.values()) {
      String[] below = stratum.below().stream().map(Stratum::name).toArray(String[]::new);
      layers =
          below.length == 0
              ? layers.whereLayer(stratum.name()).mayNotAccessAnyLayer()
              : layers.whereLayer(stratum.name()).mayOnlyAccessLayers(below);
    }
    return layers;
  }

  /** No class lies outside the strata, where no rule would look at it. */
  static ArchRule everyClassHasAStratum(String root) {
    List<String> known = new ArrayList<>();
    for (Stratum stratum : Stratum.values()) {
      known.addAll(Arrays.asList(stratum.packages(root)));
    }
    return ArchRuleDefinition.classes()
        .that()
        .resideInAPackage(root + "..")
        .should()
        .resideInAnyPackage(known.toArray(String[]::new));
  }

  /** No package needs, by whatever way round, a package that needs it. */
  static ArchRule noPackageCycles(String root) {
    return slices().matching(root + ".(**)").should().beFreeOfCycles();
  }

  /** A library stays behind the adapters made for it. */
  static ArchRule onlyIn(String root, String library, String... adapters) {
    String[] allowed =
        Arrays.stream(adapters).map(name -> root + "." + name).toArray(String[]::new);
    return ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage(root + "..")
        .and(DescribedPredicate.not(JavaClass.Predicates.resideInAnyPackage(allowed)))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library);
  }
}
