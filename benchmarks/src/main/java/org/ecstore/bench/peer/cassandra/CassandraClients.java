package org.ecstore.bench.peer.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.ecstore.bench.peer.local.PeerClients;
import org.ecstore.bench.store.BenchDb;
import site.ycsb.DBException;

/** One session with all nodes, which all clients of this process share. */
final class CassandraClients implements PeerClients {
  static final String KEYSPACE = "ycsb";
  private static final Duration REQUEST = Duration.ofSeconds(12);
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration CHANGE = Duration.ofSeconds(40);

  private final List<InetSocketAddress> nodes;
  private final CassandraSettings settings;

  /** Guarded by this object. */
  private Optional<CqlSession> session = Optional.empty();

  /** Tables that were made here. Guarded by this object. */
  private final Set<String> made = new HashSet<>();

  CassandraClients(List<InetSocketAddress> nodes, CassandraSettings settings) {
    this.nodes = nodes;
    this.settings = settings;
  }

  private synchronized CqlSession session() {
    if (session.isEmpty()) {
      CqlSessionBuilder builder =
          CqlSession.builder()
              .withConfigLoader(
                  DriverConfigLoader.programmaticBuilder()
                      .withString(DefaultDriverOption.REQUEST_CONSISTENCY, settings.consistency())
                      .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, REQUEST)
                      .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, CONNECT)
                      .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, CONNECT)
                      .withInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE, 1)
                      .build())
              .withLocalDatacenter("datacenter1");
      nodes.forEach(builder::addContactPoint);
      session = Optional.of(builder.build());
    }
    return session.get();
  }

  @Override
  public BenchDb client() throws DBException {
    try {
      return new CassandraDb(session(), this);
    } catch (DriverException e) {
      throw new DBException(e);
    }
  }

  /** Makes a table: the key, and one column of bytes for each field. Nothing if it is there. */
  synchronized void make(String table, Set<String> fields) {
    if (!made.add(table)) {
      return;
    }
    change(
        ("CREATE KEYSPACE IF NOT EXISTS %s WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': %d}")
            .formatted(KEYSPACE, settings.copies()));
    change(
        "CREATE TABLE IF NOT EXISTS %s.\"%s\" (y_id varchar PRIMARY KEY%s)"
            .formatted(
                KEYSPACE,
                table,
                fields.stream()
                    .sorted()
                    .map(field -> ", \"" + field + "\" blob")
                    .collect(Collectors.joining())));
  }

  private void change(String cql) {
    session().execute(SimpleStatement.newInstance(cql).setTimeout(CHANGE));
  }

  @Override
  public Map<String, String> settings() throws DBException {
    try {
      Map<String, String> said = new LinkedHashMap<>();
      said.put("version", one("SELECT release_version FROM system.local"));
      said.put("nodes", Integer.toString(nodes.size()));
      said.put("copies", Integer.toString(settings.copies()));
      said.put("consistency", settings.consistency());
      said.put("durability", durability(setting("commitlog_sync")));
      String partitioner = one("SELECT partitioner FROM system.local");
      said.put("partitioner", partitioner.substring(partitioner.lastIndexOf('.') + 1));
      said.put(
          "scans",
          partitioner.endsWith("ByteOrderedPartitioner")
              ? "in the order of keys"
              : "in the order of hashes (token scan): not the keys asked for");
      said.put("heap", settings.heap());
      said.put("isolation", "befriend: a logged batch, atomic, without isolation");
      return said;
    } catch (DriverException e) {
      throw new DBException(e);
    }
  }

  private String setting(String name) {
    return one("SELECT value FROM system_views.settings WHERE name = '" + name + "'");
  }

  private String one(String cql) {
    Row row = session().execute(cql).one();
    return row == null ? "unknown" : String.valueOf(row.getString(0));
  }

  private String durability(String sync) {
    return switch (sync) {
      case "batch" -> "every write synced (commitlog_sync batch)";
      case "periodic" ->
          "synced each " + setting("commitlog_sync_period") + " (commitlog_sync periodic)";
      default -> "commitlog_sync " + sync;
    };
  }

  @Override
  public synchronized void close() {
    session.ifPresent(CqlSession::close);
    session = Optional.empty();
  }
}
