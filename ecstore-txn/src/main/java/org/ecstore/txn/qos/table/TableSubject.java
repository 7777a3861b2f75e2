package org.ecstore.txn.qos.table;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a table was measured on. What is absent was not said.
 *
 * @param engine the kind of the nodes' engines, as {@code engine.kind}
 * @param nodeClass the class of the nodes, as {@code node.class}
 * @param workload what the clients did, as the loads are called
 * @param build the release that was measured
 * @param capacity how many processors a node may keep busy, as {@code node.capacity}; {@link
 *     #WHOLE} of nodes that have their machines for themselves
 * @param readPercent how many of 100 operations were reads
 * @param recordBytes the size of a record
 * @param dataBytes how much data there was
 * @param nodePrice what an hour of a node costs, as {@code node.price}
 * @param setting how it was measured
 */
public record TableSubject(
    Optional<String> engine,
    Optional<String> nodeClass,
    Optional<String> workload,
    Optional<String> build,
    Optional<String> capacity,
    OptionalDouble readPercent,
    OptionalLong recordBytes,
    OptionalLong dataBytes,
    OptionalDouble nodePrice,
    TableSetting setting) {
  /** The capacity of a node that is held to none. */
  public static final String WHOLE = "all";

  /** Of a table that says nothing of it, as those of the paper. */
  public static final TableSubject UNKNOWN =
      new TableSubject(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          OptionalDouble.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalDouble.empty());

  /** Of which is not said how it was measured. */
  public TableSubject(
      Optional<String> engine,
      Optional<String> nodeClass,
      Optional<String> workload,
      Optional<String> build,
      Optional<String> capacity,
      OptionalDouble readPercent,
      OptionalLong recordBytes,
      OptionalLong dataBytes,
      OptionalDouble nodePrice) {
    this(
        engine,
        nodeClass,
        workload,
        build,
        capacity,
        readPercent,
        recordBytes,
        dataBytes,
        nodePrice,
        TableSetting.UNKNOWN);
  }

  /**
   * What of engine, class, workload, build, capacity, copies and processors is another than wanted,
   * a sentence each. What one of both does not say does not differ.
   */
  public List<String> differencesFrom(TableSubject wanted) {
    List<String> differences = new ArrayList<>();
    differ(differences, "build", build, wanted.build);
    differ(differences, "node class", nodeClass, wanted.nodeClass);
    differ(differences, "kind of engine", engine, wanted.engine);
    differ(differences, "workload", workload, wanted.workload);
    differ(differences, "capacity", capacity, wanted.capacity);
    differences.addAll(setting.differencesFrom(wanted.setting));
    return differences;
  }

  /** The same of a build. */
  public TableSubject ofBuild(String release) {
    return new TableSubject(
        engine,
        nodeClass,
        workload,
        Optional.of(release),
        capacity,
        readPercent,
        recordBytes,
        dataBytes,
        nodePrice,
        setting);
  }

  /** The same that was measured in another way. */
  public TableSubject by(TableSetting other) {
    return new TableSubject(
        engine,
        nodeClass,
        workload,
        build,
        capacity,
        readPercent,
        recordBytes,
        dataBytes,
        nodePrice,
        other);
  }

  /** A capacity as it is compared: {@code 0.3} of {@code 0.30}. */
  public static String capacityOf(String processors) {
    return processors.equals(WHOLE)
        ? WHOLE
        : new BigDecimal(processors).stripTrailingZeros().toPlainString();
  }

  private static void differ(
      List<String> differences, String what, Optional<String> measured, Optional<String> wanted) {
    if (measured.isPresent() && wanted.isPresent() && !measured.equals(wanted)) {
      differences.add(
          "it was measured on %s %s, not %s".formatted(what, measured.get(), wanted.get()));
    }
  }

  /** In a few words; empty if nothing is known. */
  public String words() {
    List<String> known = new ArrayList<>();
    engine.ifPresent(known::add);
    nodeClass.ifPresent(name -> known.add("class " + name));
    workload.ifPresent(known::add);
    return String.join(", ", known);
  }
}
