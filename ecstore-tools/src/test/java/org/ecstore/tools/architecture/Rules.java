package org.ecstore.tools.architecture;

import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;

/** All rules that class files can be held against. */
final class Rules {
  private Rules() {}

  /** All rules for the strata below a package. */
  static List<ArchRule> all(String root) {
    List<ArchRule> rules = new ArrayList<>();
    rules.add(Strata.layers(root));
    rules.add(Strata.everyClassHasAStratum(root));
    rules.add(Strata.noPackageCycles(root));
    rules.addAll(adapters(root));
    rules.addAll(Determinism.rules(root));
    return rules;
  }

  private static List<ArchRule> adapters(String root) {
    return List.of(
        netty(root),
        berkeleyDb(root),
        rocksDb(root),
        jdbc(root),
        mariaDb(root),
        hikari(root),
        lettuce(root),
        kryo(root),
        picocli(root),
        zooKeeper(root),
        curator(root),
        bookKeeper(root),
        toml(root),
        jline(root),
        micrometer(root));
  }

  static ArchRule netty(String root) {
    return Strata.onlyIn(root, "io.netty..", "client.net..", "server.net..");
  }

  static ArchRule berkeleyDb(String root) {
    return Strata.onlyIn(root, "com.sleepycat..", "engines.je..");
  }

  static ArchRule rocksDb(String root) {
    return Strata.onlyIn(root, "org.rocksdb..", "engines.rocksdb..");
  }

  static ArchRule jdbc(String root) {
    return Strata.onlyIn(root, "java.sql..", "engines.mysql..");
  }

  static ArchRule mariaDb(String root) {
    return Strata.onlyIn(root, "org.mariadb..", "engines.mysql..");
  }

  static ArchRule hikari(String root) {
    return Strata.onlyIn(root, "com.zaxxer..", "engines.mysql..");
  }

  static ArchRule lettuce(String root) {
    return Strata.onlyIn(root, "io.lettuce..", "engines.redis..");
  }

  static ArchRule kryo(String root) {
    return Strata.onlyIn(root, "com.esotericsoftware..", "client.kryo..");
  }

  static ArchRule picocli(String root) {
    return Strata.onlyIn(root, "picocli..", "tools.cli..");
  }

  static ArchRule toml(String root) {
    return Strata.onlyIn(root, "org.tomlj..", "cluster.config..", "tools.objective..");
  }

  /** Its line editor, and its way to a process's signals. */
  static ArchRule jline(String root) {
    return Strata.onlyIn(root, "org.jline..", "tools.shell..", "cluster.node..");
  }

  static ArchRule micrometer(String root) {
    return Strata.onlyIn(
        root, "io.micrometer..", "cluster.metrics..", "client.micrometer..", "spring.boot..");
  }

  /** Curator's clients live by the types of ZooKeeper; so does BookKeeper, for its metadata. */
  static ArchRule zooKeeper(String root) {
    return Strata.onlyIn(
        root, "org.apache.zookeeper..", "cluster.zookeeper..", "cluster.bookkeeper..");
  }

  static ArchRule curator(String root) {
    return Strata.onlyIn(root, "org.apache.curator..", "cluster.zookeeper..");
  }

  static ArchRule bookKeeper(String root) {
    return Strata.onlyIn(root, "org.apache.bookkeeper..", "cluster.bookkeeper..");
  }
}
