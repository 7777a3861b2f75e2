package org.ecstore.bench.cli.elastic;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.ecstore.bench.cli.options.MeasuredStoreOptions;
import org.ecstore.bench.cli.options.NodeClassOptions;
import org.ecstore.bench.cli.options.OptionFaults;
import org.ecstore.bench.elastic.ElasticitySettings;
import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.bench.ycsb.YcsbWorkload;
import org.ecstore.cluster.node.Machine;
import org.ecstore.cluster.node.NodeResources;
import org.ecstore.model.NodeTraits;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code bench elasticity} is told, and what is wrong with it: all of that at once. */
final class ElasticityOptions {
  private static final int NODES_MAX = 31;
  private static final int CLIENTS_MAX = 10_000;
  private static final int RECORD_MAX = 1_000_000;
  private static final long MEBI = 1 << 20;
  private static final double RATE_MAX = 1_000_000;
  private static final Duration PHASE_MIN = Duration.ofSeconds(5);
  private static final Duration STILL_MIN = Duration.ofSeconds(1);

  @Mixin private MeasuredStoreOptions store = new MeasuredStoreOptions(512, 128, "zipf-read-heavy");
  @Mixin private NodeClassOptions ofClass = new NodeClassOptions(NodeTraits.STANDARD);

  @Option(
      names = "--capacity",
      paramLabel = "P",
      description = {
        "The node.capacity of each: processors that it may keep busy. Nodes and clients share this"
            + " machine, and a process that starts takes what it gets; if not given, all of it."
      })
  private @Nullable BigDecimal capacity;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "3",
      description = "Nodes at the beginning, 2 to " + NODES_MAX + ". ${DEFAULT-VALUE}.")
  private int nodes;

  @Option(
      names = "--copies",
      paramLabel = "K",
      defaultValue = "3",
      description = "Copies of each range, no more than --nodes. ${DEFAULT-VALUE}.")
  private int copies;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Records that the store holds; 1000000 are 1 GB. ${DEFAULT-VALUE}.")
  private long records;

  @Option(
      names = "--record-size",
      paramLabel = "BYTES",
      defaultValue = "" + YcsbWorkload.RECORD_BYTES,
      description = "Bytes of each, in tens: records have ten fields. ${DEFAULT-VALUE}.")
  private int recordSize;

  @Option(
      names = "--rate",
      paramLabel = "R",
      defaultValue = "0",
      description = {
        "Operations that clients begin each second. If not given, half of what the first nodes do"
            + " at most, which --saturation finds out."
      })
  private double rate;

  @Option(
      names = "--clients",
      paramLabel = "C",
      defaultValue = "64",
      description = "Threads, each with one operation at a time. ${DEFAULT-VALUE}.")
  private int clients;

  @Option(
      names = "--saturation",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = {
        "How long the first nodes are driven as hard as they take, of which the second half counts;"
            + " 0 for not at all, with --rate. ${DEFAULT-VALUE}."
      })
  private String saturation = "";

  @Option(
      names = "--calm",
      paramLabel = "TIME",
      defaultValue = "40s",
      description = "How long each of the three calm phases is, 5s at least. ${DEFAULT-VALUE}.")
  private String calm = "";

  @Option(
      names = "--within",
      paramLabel = "TIME",
      defaultValue = "600s",
      description = {
        "How long it may take until the cluster is balanced, each time; then it counts as not"
            + " balanced. ${DEFAULT-VALUE}."
      })
  private String within = "";

  @Option(
      names = "--still",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = {
        "For how long nothing may change until the cluster counts as balanced, 1s at least: the"
            + " steward thinks of it every 5 s. ${DEFAULT-VALUE}."
      })
  private String still = "";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      required = true,
      description = "Where result and plots go; empty, or made if it is not there.")
  private Path directory = Path.of("");

  /** Where results go. */
  Path directory() {
    return directory;
  }

  /**
   * Checks all of it.
   *
   * @param processors of this machine
   * @throws BadInputException with everything that is wrong
   */
  ElasticitySettings check(int processors) throws IOException {
    OptionFaults faults = new OptionFaults();
    Optional<TableWorkload> wanted = store.workload(faults);
    checkNodes(faults, processors);
    checkStore(faults);
    ElasticitySettings.Course course = course(faults);
    faults.mustBeFree("--out", directory);
    if (!faults.isEmpty() || wanted.isEmpty()) {
      throw faults.exception();
    }
    return new ElasticitySettings(
        new ElasticitySettings.Machines(
            nodes,
            copies,
            NodeResources.of(Machine.here(), nodes + 1, store.heap() * MEBI, store.cache() * MEBI),
            ofClass.of(capacity)),
        new ElasticitySettings.Store(wanted.get(), records, recordSize),
        course,
        processors);
  }

  private void checkNodes(OptionFaults faults, int processors) {
    faults.require(
        nodes >= 2 && nodes <= NODES_MAX,
        "--nodes is from 2 to %d, not %d: one alone cannot get another"
            .formatted(NODES_MAX, nodes));
    faults.require(copies >= 1 && copies <= nodes, "--copies is from 1 to --nodes, not " + copies);
    store.checkMemory(faults);
    ofClass.check(faults, capacity);
    NodeClassOptions.checkProcessors(faults, capacity, processors);
  }

  private void checkStore(OptionFaults faults) {
    MeasuredStoreOptions.checkRecords(faults, records);
    faults.require(
        recordSize >= YcsbWorkload.FIELDS
            && recordSize <= RECORD_MAX
            && recordSize % YcsbWorkload.FIELDS == 0,
        "--record-size is from %d to %d bytes, in tens, not %d"
            .formatted(YcsbWorkload.FIELDS, RECORD_MAX, recordSize));
  }

  private ElasticitySettings.Course course(OptionFaults faults) {
    faults.require(
        rate >= 0 && rate <= RATE_MAX, "--rate is from 0, for none, to 1000000 a second");
    faults.require(
        clients >= 1 && clients <= CLIENTS_MAX,
        "--clients is from 1 to %d, not %d".formatted(CLIENTS_MAX, clients));
    Duration saturated =
        saturation.strip().equals("0")
            ? Duration.ZERO
            : faults.time("--saturation", saturation, PHASE_MIN);
    faults.require(
        !saturated.isZero() || rate > 0, "--saturation 0 is for a known --rate: give that too");
    return new ElasticitySettings.Course(
        rate,
        clients,
        saturated,
        faults.time("--calm", calm, PHASE_MIN),
        faults.time("--within", within, PHASE_MIN),
        faults.time("--still", still, STILL_MIN));
  }
}
