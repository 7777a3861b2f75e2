package org.ecstore.bench.peer.cassandra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.bench.peer.local.Durability;

/**
 * How nodes are set up.
 *
 * @param partitioner says in which order keys are stored
 * @param tokens how many parts of all keys each node has
 * @param heap of each node, as its virtual machine takes it
 * @param copies of each record
 * @param consistency how many of them must answer, as Cassandra calls it
 */
record CassandraSettings(
    String partitioner, int tokens, String heap, int copies, String consistency) {
  private static final List<String> EXPORTS =
      List.of(
          "java.base/jdk.internal.misc",
          "java.base/java.lang.ref",
          "java.management.rmi/com.sun.jmx.remote.internal.rmi",
          "java.rmi/sun.rmi.registry",
          "java.rmi/sun.rmi.server",
          "java.sql/java.sql",
          "jdk.compiler/com.sun.tools.javac.api",
          "jdk.compiler/com.sun.tools.javac.file",
          "jdk.compiler/com.sun.tools.javac.parser",
          "jdk.compiler/com.sun.tools.javac.tree",
          "jdk.compiler/com.sun.tools.javac.util",
          "jdk.unsupported/sun.misc");

  private static final List<String> OPENS =
      List.of(
          "java.base/java.io",
          "java.base/java.lang",
          "java.base/java.lang.module",
          "java.base/java.lang.reflect",
          "java.base/java.math",
          "java.base/java.net",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.atomic",
          "java.base/jdk.internal.loader",
          "java.base/jdk.internal.math",
          "java.base/jdk.internal.misc",
          "java.base/jdk.internal.module",
          "java.base/jdk.internal.ref",
          "java.base/jdk.internal.reflect",
          "java.base/jdk.internal.util.jar",
          "java.base/sun.nio.ch",
          "jdk.management/com.sun.management.internal");

  /**
   * Where a node is.
   *
   * @param ports for clients, and for other nodes
   */
  record Seat(String host, String seed, List<Integer> ports) {}

  /** Writes what a node reads when it starts. */
  void write(Path directory, String cluster, Seat seat, Durability durability) throws IOException {
    Files.writeString(
        directory.resolve("cassandra.yaml"), yaml(directory, cluster, seat, durability));
    Files.writeString(
        directory.resolve("logback.xml"),
        """
        <configuration>
          <appender name="FILE" class="ch.qos.logback.core.FileAppender">
            <file>%s</file>
            <encoder><pattern>%%-5level %%date{HH:mm:ss} %%logger{20} %%msg%%n</pattern></encoder>
          </appender>
          <root level="INFO"><appender-ref ref="FILE"/></root>
        </configuration>
        """
            .formatted(directory.resolve("system.log")));
  }

  private String yaml(Path directory, String cluster, Seat seat, Durability durability) {
    String sync =
        durability == Durability.COMMIT
            ? "commitlog_sync: batch"
            : "commitlog_sync: periodic\ncommitlog_sync_period: 10000ms";
    return """
    cluster_name: %1$s
    num_tokens: %2$d
    partitioner: org.apache.cassandra.dht.%3$s
    data_file_directories: [%4$s/data]
    commitlog_directory: %4$s/commitlog
    hints_directory: %4$s/hints
    saved_caches_directory: %4$s/saved
    cdc_raw_directory: %4$s/cdc
    commitlog_segment_size: 32MiB
    seed_provider:
      - class_name: org.apache.cassandra.locator.SimpleSeedProvider
        parameters: [{seeds: "%5$s:%8$d"}]
    listen_address: %6$s
    rpc_address: %6$s
    start_native_transport: true
    native_transport_port: %7$d
    storage_port: %8$d
    endpoint_snitch: SimpleSnitch
    auto_bootstrap: false
    auto_snapshot: false
    hinted_handoff_enabled: true
    disk_optimization_strategy: ssd
    concurrent_reads: 32
    concurrent_writes: 32
    memtable_allocation_type: offheap_objects
    memtable:
      configurations:
        skiplist: {class_name: SkipListMemtable}
        trie: {class_name: TrieMemtable}
        default: {inherits: trie}
    sstable: {selected_format: bti}
    default_compaction:
      class_name: UnifiedCompactionStrategy
      parameters: {scaling_parameters: T4, target_sstable_size: 1GiB}
    storage_compatibility_mode: NONE
    read_request_timeout: 10000ms
    range_request_timeout: 10000ms
    write_request_timeout: 10000ms
    request_timeout: 10000ms
    """
            .formatted(
                cluster,
                tokens,
                partitioner,
                directory,
                seat.seed(),
                seat.host(),
                seat.ports().get(0),
                seat.ports().get(1))
        + sync
        + "\n";
  }

  /** Of a node's virtual machine. */
  List<String> flags(Path directory) {
    Stream<String> own =
        Stream.of(
            "-Xms" + heap,
            "-Xmx" + heap,
            "-Xss256k",
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=300",
            "-XX:+ParallelRefProcEnabled",
            "-XX:MaxDirectMemorySize=2g",
            "-Djdk.attach.allowAttachSelf=true",
            "-Dcassandra.config=file://" + directory.resolve("cassandra.yaml"),
            "-Dlogback.configurationFile=" + directory.resolve("logback.xml"),
            "-Dcassandra.storagedir=" + directory,
            "-Dcassandra-foreground=yes",
            "-Dcassandra.skip_wait_for_gossip_to_settle=0",
            "-Dcassandra.ring_delay_ms=2000",
            "-Dcassandra.superuser_setup_delay_ms=0",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Djava.io.tmpdir=" + directory);
    Stream<String> modules =
        Stream.concat(
            EXPORTS.stream().map(each -> "--add-exports=" + each + "=ALL-UNNAMED"),
            OPENS.stream().map(each -> "--add-opens=" + each + "=ALL-UNNAMED"));
    return Stream.concat(own, modules).toList();
  }
}
