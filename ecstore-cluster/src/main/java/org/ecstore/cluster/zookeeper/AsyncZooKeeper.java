package org.ecstore.cluster.zookeeper;

import java.util.List;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The calls of ZooKeeper's client that coordination makes. Each is sent at most once; its callback
 * says so if nothing is known of what became of it. Callbacks and watchers of a connection come in
 * the order of the server's answers, on a thread of the library.
 */
interface AsyncZooKeeper {
  void create(String path, byte[] data, CreateMode mode, AsyncCallback.StringCallback then);

  /**
   * Replaces a value.
   *
   * @param version of the znode that is replaced; -1 for any
   */
  void setData(String path, byte[] data, int version, AsyncCallback.StatCallback then);

  void getData(String path, AsyncCallback.DataCallback then);

  void exists(String path, Watcher watcher, AsyncCallback.StatCallback then);

  void getChildren(String path, @Nullable Watcher watcher, AsyncCallback.ChildrenCallback then);

  void sync(String path, AsyncCallback.VoidCallback then);

  void delete(String path, AsyncCallback.VoidCallback then);

  void multi(List<Op> steps, AsyncCallback.MultiCallback then);

  /** Those of ZooKeeper's own client. */
  record OfClient(ZooKeeper client) implements AsyncZooKeeper {
    @Override
    public void create(
        String path, byte[] data, CreateMode mode, AsyncCallback.StringCallback then) {
      client.create(path, data, ZooKeeperSession.OPEN, mode, then, null);
    }

    @Override
    public void setData(String path, byte[] data, int version, AsyncCallback.StatCallback then) {
      client.setData(path, data, version, then, null);
    }

    @Override
    public void getData(String path, AsyncCallback.DataCallback then) {
      client.getData(path, false, then, null);
    }

    @Override
    public void exists(String path, Watcher watcher, AsyncCallback.StatCallback then) {
      client.exists(path, watcher, then, null);
    }

    @Override
    public void getChildren(
        String path, @Nullable Watcher watcher, AsyncCallback.ChildrenCallback then) {
      client.getChildren(path, watcher, then, null);
    }

    @Override
    public void sync(String path, AsyncCallback.VoidCallback then) {
      client.sync(path, then, null);
    }

    @Override
    public void delete(String path, AsyncCallback.VoidCallback then) {
      client.delete(path, -1, then, null);
    }

    @Override
    public void multi(List<Op> steps, AsyncCallback.MultiCallback then) {
      client.multi(steps, then, null);
    }
  }
}
