package org.ecstore.cluster.node;

import java.io.IOException;
import java.util.Optional;
import org.ecstore.cluster.config.ConfigText;
import org.ecstore.cluster.config.EngineAccess;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.core.metrics.MetricsProvider;
import org.ecstore.engines.EngineSettings;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.NodeTraits.Capacity;
import org.ecstore.replication.hotspot.HotReplicaSettings;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.server.net.NetSettings;
import org.ecstore.txn.balance.RebalanceSettings;
import org.ecstore.txn.qos.control.ControlTiming;

/** What a node's configuration is to the node itself. */
final class ConfiguredSettings {
  private ConfiguredSettings() {}

  /**
   * The settings of a node.
   *
   * @param metrics where its numbers go
   * @param capacity that it is held to, if that is less than its machine
   * @throws StartRefusedException if the password of the engine's server cannot be read, or the
   *     engine's cache is larger than the heap that it is in
   */
  static ClusterSettings of(
      ServerConfig config, MetricsProvider metrics, Optional<Capacity> capacity)
      throws StartRefusedException {
    ServerConfig.Replication replication = config.replication();
    ServerConfig.Balance balance = config.balance();
    return ClusterSettings.DEFAULT
        .withReplication(
            new ReplicationSettings(
                Optional.of(replication.copies()),
                replication.longFailure(),
                replication.settle(),
                Optional.of(config.host()),
                replication.relaxed(),
                HotReplicaSettings.of(
                    replication.hotReplicaBytes(),
                    (double) replication.hotReplicaReads(),
                    replication.hotReplicaFactor()),
                new RebalanceSettings(
                    balance.automatic(),
                    RebalanceSettings.DEFAULT.periodNanos(),
                    balance.splitBytes(),
                    (double) balance.splitRate(),
                    balance.mergeAfter().toNanos(),
                    balance.shiftBytes())))
        .withTraits(
            new NodeTraits(
                config.nodeClass(), config.pricePerHour(), "", EngineTraits.of(""), capacity))
        .withSplitHints(config.splitHints())
        .withVersionsKept(config.versionsKept())
        .withChangesKept(config.changesKept(), config.changesRecords())
        .withControl(
            new ControlTiming(
                config.control().check().toNanos(),
                config.control().window(),
                config.control().provisionWithin().toNanos()))
        .withMetrics(metrics)
        .withNet(NetSettings.DEFAULT.withHost(config.listen().host()))
        .withEngine(engine(config));
  }

  private static EngineSettings engine(ServerConfig config) throws StartRefusedException {
    mustFitHeap(config, Runtime.getRuntime().maxMemory());
    EngineSettings settings =
        EngineSettings.DEFAULT
            .withKind(config.engineKind())
            .withCacheBytes(engineCacheBytes(config))
            .withWindowBytes(engineWindowBytes(config));
    Optional<EngineAccess> access = config.engineAccess();
    if (access.isEmpty()) {
      return settings;
    }
    try {
      return settings.withServer(access.get().server(config.clusterName(), config.node()));
    } catch (IOException e) {
      throw new StartRefusedException("engine.password-file: " + e.getMessage(), e);
    }
  }

  /**
   * Checks that a cache within the heap is not larger than it.
   *
   * @throws StartRefusedException if it is
   */
  static void mustFitHeap(ServerConfig config, long heapBytes) throws StartRefusedException {
    long cache = config.engineCacheBytes();
    if (config.engineKind().equals(EngineSettings.DEFAULT_KIND) && cache > heapBytes) {
      throw new StartRefusedException(
          ("engine.cache is %s, and this node's heap %d MiB: the cache of %s is within the heap;"
                  + " give less, or leave engine.cache out")
              .formatted(ConfigText.size(cache), heapBytes >> 20, config.engineKind()));
    }
  }

  private static long engineWindowBytes(ServerConfig config) {
    long configured = config.engineWindowBytes();
    return configured > 0 ? configured : NodeResources.cacheOf(Runtime.getRuntime().maxMemory());
  }

  /** What is configured, or what follows from the heap. */
  static long engineCacheBytes(ServerConfig config) {
    long configured = config.engineCacheBytes();
    return configured > 0 ? configured : NodeResources.cacheOf(Runtime.getRuntime().maxMemory());
  }
}
