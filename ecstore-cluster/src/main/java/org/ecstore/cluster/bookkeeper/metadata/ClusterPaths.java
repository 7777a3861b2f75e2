package org.ecstore.cluster.bookkeeper.metadata;

import java.util.regex.Pattern;

/**
 * Where a cluster's ledger is in ZooKeeper.
 *
 * @param hosts of ZooKeeper: {@code host:port,host:port}
 * @param root of the cluster, below the connect string's chroot if it has one
 * @param segments the list of segments
 */
public record ClusterPaths(String hosts, String root, String segments) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /**
   * The paths of a cluster.
   *
   * @param connect {@code host:port,host:port}, perhaps with a chroot
   * @throws IllegalArgumentException if the name cannot be part of a path
   */
  public static ClusterPaths of(String connect, String clusterName) {
    if (!NAME.matcher(clusterName).matches()) {
      throw new IllegalArgumentException(
          "a cluster's name has letters, digits, dots, dashes and underscores: " + clusterName);
    }
    int slash = connect.indexOf('/');
    String hosts = slash < 0 ? connect : connect.substring(0, slash);
    String chroot = slash < 0 ? "" : connect.substring(slash);
    while (chroot.endsWith("/")) {
      chroot = chroot.substring(0, chroot.length() - 1);
    }
    String root = chroot + "/ecstore/" + clusterName;
    return new ClusterPaths(hosts, root, root + "/ledger");
  }

  /** What BookKeeper keeps: its ledgers' metadata, the bookies there are, their cookies. */
  public String bookKeeper() {
    return root + "/bookkeeper";
  }

  /** The bookies that take writes are its children. */
  public String writableBookies() {
    return bookKeeper() + "/available";
  }

  /** The same bookies for another ledger, which a test has. */
  public ClusterPaths withLedger(String name) {
    return new ClusterPaths(hosts, root, root + "/" + name);
  }

  /**
   * The same for BookKeeper's configuration, which decodes what is encoded: several addresses with
   * brackets are no URI.
   */
  public String metadataUri() {
    String encoded =
        hosts.replace("%", "%25").replace("[", "%5B").replace("]", "%5D").replace(',', ';');
    return "zk+hierarchical://" + encoded + bookKeeper();
  }
}
