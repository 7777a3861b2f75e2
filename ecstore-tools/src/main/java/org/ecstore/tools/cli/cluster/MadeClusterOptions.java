package org.ecstore.tools.cli.cluster;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.cluster.layout.SplitHints;
import org.ecstore.cluster.node.DatabaseMemory;
import org.ecstore.cluster.node.Machine;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.key.Bytes;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.objective.Amount;
import org.ecstore.tools.plan.MeasuredNodes;
import org.ecstore.tools.plan.PlannedNodes;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.Copies;
import org.ecstore.tools.terminal.EngineNames;
import org.ecstore.tools.terminal.Engines;
import org.ecstore.tools.terminal.NodeClasses;
import org.ecstore.tools.terminal.OptionBounds;
import org.ecstore.txn.qos.table.TableSetting;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a cluster is made with; of one that is there all of it is settled. */
final class MadeClusterOptions {
  private static final int NODES_AT_FIRST = 3;

  /** Copies of each range on engines of several kinds, where there are as many hosts or more. */
  private static final int COPIES_OF_KINDS = 4;

  private static final int PORT_MAX = 65_535;

  @Option(
      names = "--spread",
      paramLabel = "TABLE[:KEYS]",
      description = {
        "For a cluster that is made: which tables to spread over the nodes, with commas in"
            + " between. KEYS says what keys begin with: \"text\", \"uuid\", or numbers"
            + " from 0 to the one given, as in users:uuid,visits:100000,names:text."
      })
  private @Nullable String spread;

  @Option(
      names = "--copies",
      paramLabel = "K",
      description = {
        "For a cluster that is made: how many copies of each range there shall be on nodes"
            + " of their own; 3, or as many as there are nodes if these are fewer, if not"
            + " given. On four hosts or more with several --engines it is 4, for quorums of"
            + " (4, 3, 2)."
      })
  private @Nullable Integer copies;

  @Option(
      names = "--engines",
      paramLabel = "KIND",
      split = ",",
      completionCandidates = EngineNames.class,
      description = {
        "For a cluster that is made: the kinds of storage engines, each host with a node of"
            + " every one of them: ${COMPLETION-CANDIDATES}. A database server is started under"
            + " each node that has one: that on the PATH, or one that mvn fetches."
      })
  private @Nullable List<String> engines;

  @Option(
      names = "--hosts",
      paramLabel = "H",
      description = {
        "For a cluster that is made with --engines: how many hosts there shall be; 3 if not"
            + " given."
      })
  private @Nullable Integer hosts;

  @Option(
      names = "--relaxed",
      description = {
        "For a cluster that is made with --engines: that their kinds may lack what copies"
            + " need, see placement.relaxed."
      })
  private boolean relaxed;

  @Option(
      names = "--database-memory",
      paramLabel = "SIZE",
      description = {
        "For a cluster that is made with --engines: how much each database server under a node may"
            + " keep in memory, as 2GiB: MariaDB in its buffer pool, Redis of all its data; as much"
            + " as the machine's memory has for the heap of a node if not given. It is written to"
            + " DIR/node-N/database.options. engine.cache is for engines within nodes' processes."
      })
  private @Nullable String databaseMemory;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = {
        "For a cluster that is made: where its first node listens; 0 for any port. 7420 if"
            + " not given and free, else any."
      })
  private @Nullable Integer port;

  @Option(
      names = "--class",
      paramLabel = "NAME",
      description = {
        "For a cluster that is made: the node.class of its nodes, as performance tables and plans"
            + " name it."
      })
  private @Nullable String nodeClass;

  @Option(
      names = "--price",
      paramLabel = "P",
      description = "For a cluster that is made: the node.price of each node.")
  private @Nullable BigDecimal price;

  @Option(
      names = "--capacity",
      paramLabel = "P",
      description = {
        "For a cluster that is made: the node.capacity, so many processors as each node may keep"
            + " busy, up to all of this machine; all if not given, and with --slo as a table has it,"
            + " or such a part that all nodes share the machine."
      })
  private @Nullable BigDecimal capacity;

  /** Whether the kind of its engines is a plan's, so that each host has one node. */
  private boolean isKindPlanned;

  /** Whether the capacity is a plan's, if there is any. */
  private boolean isCapacityPlanned;

  /** Hosts where none are given. */
  private int planned = NODES_AT_FIRST;

  private Optional<MeasuredNodes> measured = Optional.empty();

  /**
   * From now on what is not given is as a plan has it.
   *
   * @param nodes as given
   * @return what is given otherwise than the plan has it, and what processes get, a line each
   * @throws BadInputException if the options are of nodes of several kinds
   */
  List<String> take(PlannedNodes plan, Optional<Integer> nodes) {
    List<String> kinds = engines;
    if (kinds != null && kinds.size() > 1) {
      throw new BadInputException(
          "--table plans nodes of one kind: name one in --engines, or none");
    }
    List<String> lines = new ArrayList<>();
    Optional<String> count = Optional.of(String.valueOf(plan.count()));
    other(lines, "--nodes", nodes.map(String::valueOf), count);
    other(lines, "--hosts", Optional.ofNullable(hosts).map(String::valueOf), count);
    other(lines, "--engines", Optional.ofNullable(kinds).map(List::getFirst), plan.engine());
    other(lines, "--class", Optional.ofNullable(nodeClass), plan.nodeClass());
    other(lines, "--price", plain(price), plain(plan.price().orElse(null)));
    other(lines, "--capacity", plain(capacity), plan.capacity());
    Optional<String> planCopies = plan.copies().stream().mapToObj(String::valueOf).findFirst();
    other(lines, "--copies", Optional.ofNullable(copies).map(String::valueOf), planCopies);
    planned = nodes.orElse(plan.count());
    if (kinds == null && plan.isOfUnusualEngine()) {
      engines = plan.engine().stream().toList();
      relaxed = true;
      isKindPlanned = true;
    }
    nodeClass = nodeClass == null ? plan.nodeClass().orElse(null) : nodeClass;
    price = price == null ? plan.price().orElse(null) : price;
    isCapacityPlanned = capacity == null;
    capacity = capacity == null ? plan.processors().orElse(null) : capacity;
    measured = plan.measured();
    lines.add(
        measured
            .map(
                those ->
                    "heap of %d MiB and engine cache of %d MiB as in the table"
                        .formatted(those.heapMebibytes(), those.cacheMebibytes()))
            .orElse(
                "heap and engine cache as usual: no file beside the table says what those had"));
    plan.copies().ifPresent(of -> usualCopies(lines, of));
    return lines;
  }

  /** Says how many copies there are where none are given and the plan is of others. */
  private void usualCopies(List<String> lines, int planCopies) {
    int usual = ReplicationSettings.DEFAULT.copiesOf(hostsOrUsual());
    if (copies == null && usual != planCopies) {
      lines.add(
          "the plan is of %s, and here there are %d: see --copies"
              .formatted(TableSetting.copiesWords(planCopies), usual));
    }
  }

  private static Optional<String> plain(@Nullable BigDecimal number) {
    return Optional.ofNullable(number).map(each -> each.stripTrailingZeros().toPlainString());
  }

  /** Says what is given in place of what a plan has. */
  private static void other(
      List<String> lines, String option, Optional<String> given, Optional<String> planned) {
    if (given.isPresent() && planned.isPresent() && !given.equals(planned)) {
      lines.add(
          "%s %s in place of %s, which the plan is of"
              .formatted(option, given.get(), planned.get()));
    }
  }

  /** Whether options say how many hosts there shall be, or on which kinds of engines. */
  boolean saysNodes() {
    return hosts != null || engines != null;
  }

  /** How many nodes it has if no number is given. */
  int nodes() {
    return hostsOrUsual() * (engines == null ? 1 : engines.size());
  }

  /**
   * How many copies there shall be where that is not what clusters usually have: a fourth one of
   * each range, as in the paper, so that as many persist as of three that all do (MyCassandra
   * §5.2).
   */
  Optional<Integer> copiesOfKinds() {
    List<String> kinds = engines;
    return copies == null && kinds != null && kinds.size() > 1 && hostsOrUsual() >= COPIES_OF_KINDS
        ? Optional.of(COPIES_OF_KINDS)
        : Optional.empty();
  }

  /** What is said where there are more kinds than a range has copies: some hold none. */
  Optional<String> kindsWithoutCopies() {
    List<String> kinds = engines;
    int each = copies == null ? ReplicationSettings.DEFAULT.copiesOf(hostsOrUsual()) : copies;
    int most = copiesOfKinds().orElse(each);
    return kinds == null || kinds.size() <= most
        ? Optional.empty()
        : Optional.of(
            ("each range has %s, on a host of its own: nodes of some of the kinds %s hold nothing;"
                    + " --hosts %d has a copy on each kind")
                .formatted(
                    most == 1 ? "one copy" : most + " copies",
                    String.join(", ", kinds),
                    kinds.size()));
  }

  private int hostsOrUsual() {
    return hosts == null ? planned : hosts;
  }

  /** Whether it is given, or planned, how many processors each node may keep busy. */
  boolean hasCapacity() {
    return capacity != null;
  }

  /**
   * The cluster to make.
   *
   * @param usual the port of its first node if none is given
   * @param usualCapacity of each node if none is given; absent if it may have all of its machine
   * @throws BadInputException if options contradict one another
   */
  NewCluster cluster(@Nullable Integer nodes, UsualPort usual, Optional<BigDecimal> usualCapacity) {
    BigDecimal each = capacity == null ? usualCapacity.orElse(null) : capacity;
    Optional<EngineMix> mix = mix(nodes);
    NodeClass ofClass = NodeClasses.of(nodeClass, price, each);
    mustBeHere(Machine.here().processors());
    NewCluster made =
        NewCluster.DEFAULT
            .withSplitHints(hints())
            .withReplication(replication(mix).withRelaxed(relaxed))
            .withNodeClass(ofClass)
            .on(Machine.here());
    // A table says nothing of servers: these have their share of the machine.
    DatabaseMemory share = made.resourcesOf(nodes == null ? nodes() : nodes).database();
    NewCluster sized =
        measured.map(all -> made.withResources(all.resources().with(share))).orElse(made);
    NewCluster mixed = mix.map(sized::withMix).orElse(sized);
    NewCluster served = databaseBytes(mix).map(mixed::withDatabaseBytes).orElse(mixed);
    return firstPort(usual).map(served::withFirstPort).orElse(served);
  }

  /** A node cannot keep more processors busy than there are. */
  private void mustBeHere(int processors) {
    BigDecimal wanted = capacity;
    if (wanted != null && wanted.compareTo(BigDecimal.valueOf(processors)) > 0) {
      throw new BadInputException(
          (isCapacityPlanned
                  ? "the plan is of nodes that keep %2$s processors busy, and this machine has %1$d: see --capacity"
                  : "--capacity is no more than the %d processors of this machine, not %s")
              .formatted(processors, wanted.toPlainString()));
    }
  }

  /** What database servers keep in memory, where that is given. */
  private Optional<Long> databaseBytes(Optional<EngineMix> mix) {
    String given = databaseMemory;
    if (given == null) {
      return Optional.empty();
    }
    List<String> kinds = mix.map(EngineMix::kinds).orElse(List.of());
    if (kinds.stream().noneMatch(kind -> EngineKinds.named(kind).hasServer())) {
      throw new BadInputException(
          "--database-memory goes with --engines of which one has a database server: see"
              + " engine.cache for an engine within the node's process");
    }
    long bytes = Amount.bytes("--database-memory", given);
    if (bytes < DatabaseMemory.BYTES_MIN) {
      throw new BadInputException(
          "--database-memory must be 64MiB or more, not \"" + given.strip() + '"');
    }
    return Optional.of(bytes);
  }

  /** Each copy is on a host of its own: of a mix there must be enough of these. */
  private ReplicationSettings replication(Optional<EngineMix> mix) {
    Optional<Integer> ofKinds = copiesOfKinds();
    ReplicationSettings wanted = ofKinds.isPresent() ? Copies.of(ofKinds.get()) : Copies.of(copies);
    try {
      mix.ifPresent(all -> wanted.copiesOf(all.hosts(), "hosts"));
      return wanted;
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--copies: " + e.getMessage() + ", see --hosts");
    }
  }

  /**
   * Refuses what is given of a cluster that is there.
   *
   * @throws BadInputException if anything is
   */
  void mustBeAbsent(String directory) {
    mustBeAbsent(directory, "--engines", engines, "");
    mustBeAbsent(
        directory,
        "--copies",
        copies,
        ": change replication.copies in the configuration of each node while it is down");
    mustBeAbsent(directory, "--spread", spread, "");
    mustBeAbsent(directory, "--port", port, "");
    mustBeAbsent(
        directory,
        "--database-memory",
        databaseMemory,
        ": change database.options beside the configuration of each node while it is down");
    String instead = ": change the table node in the configuration of each node while it is down";
    mustBeAbsent(directory, "--class", nodeClass, instead);
    mustBeAbsent(directory, "--price", price, instead);
    mustBeAbsent(directory, "--capacity", capacity, instead);
  }

  private static void mustBeAbsent(
      String directory, String option, @Nullable Object given, String instead) {
    if (given != null) {
      throw new BadInputException(
          option
              + " is for a cluster that is made; the one in "
              + directory
              + " is there"
              + instead);
    }
  }

  private List<Bytes> hints() {
    try {
      return spread == null ? SplitHints.ofAnyTables() : SplitHints.parse(spread);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--spread: " + e.getMessage());
    }
  }

  private Optional<Integer> firstPort(UsualPort usual) {
    Integer given = port;
    if (given == null) {
      return usual.port();
    }
    OptionBounds.checkBetween("--port", given, 0, PORT_MAX);
    return Optional.of(given).filter(each -> each > 0);
  }

  private Optional<EngineMix> mix(@Nullable Integer nodes) {
    List<String> kinds = engines;
    if (kinds == null) {
      if (hosts != null) {
        throw new BadInputException(
            "--hosts goes with --engines: without it each node is on a host of its own, see"
                + " --nodes");
      }
      if (relaxed) {
        throw new BadInputException(
            "--relaxed goes with --engines: all nodes have one that lacks nothing");
      }
      return Optional.empty();
    }
    if (nodes != null && !isKindPlanned) {
      throw new BadInputException(
          "--nodes follows from --hosts and --engines: leave it out, or leave these out");
    }
    return Optional.of(Engines.onHosts(hostsOrUsual(), kinds, relaxed));
  }
}
