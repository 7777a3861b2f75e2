package org.ecstore.cluster.zookeeper;

import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/**
 * A session that is connected, as far as is known. Its calls go to ZooKeeper's own client, which
 * sends each of them at most once and says so if it does not know what became of one: Curator's
 * would be repeated, or held back until there is a connection, and a compare-and-set must be
 * neither.
 */
record ZooKeeperSession(AsyncZooKeeper client, long id) {
  static final String NO_CONNECTION = "no connection to ZooKeeper";
  static final byte[] NOTHING = {};
  static final List<ACL> OPEN = ZooDefs.Ids.OPEN_ACL_UNSAFE;

  /** What a result code means, in words for an operator. */
  static String reason(int code) {
    KeeperException.Code known = KeeperException.Code.get(code);
    return known == null ? "ZooKeeper error " + code : "ZooKeeper: " + known;
  }

  static boolean is(int code, KeeperException.Code expected) {
    return code == expected.intValue();
  }
}
