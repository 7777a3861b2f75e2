package org.ecstore.bench.mycassandra;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.client.EcStore;
import org.ecstore.client.StoreStatus;
import org.ecstore.client.StoreStatus.StoreNode;
import org.ecstore.client.StoreStatus.StoreRange;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.id.NodeId;
import org.ecstore.model.EngineTraits;
import org.ecstore.replication.placement.CopyNeeds;

/**
 * On which kinds of engines the copies of a cluster's ranges are, as one node knows it: the least
 * that a range has of what quorums need.
 */
public final class CopyKinds {
  /** In the result of a measurement. */
  static final String PLACEMENT = "placement";

  static final String RANGES = "ranges";
  static final String COPIES = "copies";
  static final String COPIES_LEAST = "copiesLeast";
  static final String HOSTS_LEAST = "hostsLeast";
  static final String PERSISTING_LEAST = "persistingLeast";
  static final String FAST_WRITES_LEAST = "fastWritesLeast";
  static final String FAST_READS_LEAST = "fastReadsLeast";
  static final String KINDS_LEAST = "kindsLeast";
  static final String KINDS = "kinds";

  /** Primaries that are not on an engine that persists and writes fast. */
  static final String UNFIT_PRIMARIES = "unfitPrimaries";

  /** Why it is not known. */
  static final String UNKNOWN = "unknown";

  private CopyKinds() {}

  /** Adds it to a result of a cluster of ecStore; where it does not say it, why. */
  public static void look(StartedTarget store, ObjectNode result) {
    if (!(store instanceof EcStoreTarget)) {
      return;
    }
    try (EcStore client = EcStore.connect(store.address())) {
      result.set(PLACEMENT, json(client.status()));
    } catch (EcStoreException e) {
      result.putObject(PLACEMENT).put(UNKNOWN, String.valueOf(e.getMessage()));
    }
  }

  /** A copy of a range. */
  private record Held(EngineTraits engine, String host) {}

  static ObjectNode json(StoreStatus status) {
    Map<NodeId, StoreNode> nodes = new TreeMap<>();
    status.nodes().forEach(node -> nodes.put(node.id(), node));
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (status.ranges().isEmpty()) {
      return json.put(UNKNOWN, "no range is known");
    }
    json.put(RANGES, status.ranges().size());
    json.put(KINDS, status.nodes().stream().map(CopyKinds::kind).distinct().count());
    Map<String, Integer> copies = new TreeMap<>();
    Map<String, Long> least = new TreeMap<>();
    int unfit = 0;
    for (StoreRange range : status.ranges()) {
      List<Held> held = held(range, nodes);
      copies.merge(words(held), 1, Integer::sum);
      leastOf(held).forEach((what, many) -> least.merge(what, many, Math::min));
      StoreNode primary = nodes.get(range.primary());
      unfit +=
          primary == null || CopyNeeds.primaryRank(primary.traits().engineTraits()) > 0 ? 1 : 0;
    }
    ObjectNode all = json.putObject(COPIES);
    copies.forEach(all::put);
    least.forEach(json::put);
    return json.put(UNFIT_PRIMARIES, unfit);
  }

  private static String kind(StoreNode node) {
    return node.traits().engine();
  }

  /** Those of nodes that are members. */
  private static List<Held> held(StoreRange range, Map<NodeId, StoreNode> nodes) {
    List<NodeId> holders = new ArrayList<>(List.of(range.primary()));
    holders.addAll(range.secondaries());
    return holders.stream()
        .distinct()
        .map(nodes::get)
        .filter(Objects::nonNull)
        .map(node -> new Held(node.traits().engineTraits(), node.host()))
        .toList();
  }

  /** As {@code mysql 1, redis 1, rocksdb 2}. */
  private static String words(List<Held> held) {
    Map<String, Integer> kinds = new TreeMap<>();
    held.forEach(copy -> kinds.merge(copy.engine().kind(), 1, Integer::sum));
    return kinds.entrySet().stream()
        .map(kind -> kind.getKey() + " " + kind.getValue())
        .collect(Collectors.joining(", "));
  }

  private static Map<String, Long> leastOf(List<Held> held) {
    List<EngineTraits> engines = held.stream().map(Held::engine).toList();
    return Map.of(
        COPIES_LEAST, (long) held.size(),
        HOSTS_LEAST, held.stream().map(Held::host).distinct().count(),
        PERSISTING_LEAST, engines.stream().filter(EngineTraits::persists).count(),
        FAST_WRITES_LEAST, engines.stream().filter(EngineTraits::countsForWrites).count(),
        FAST_READS_LEAST, engines.stream().filter(EngineTraits::countsForReads).count(),
        KINDS_LEAST, engines.stream().map(EngineTraits::kind).distinct().count());
  }
}
