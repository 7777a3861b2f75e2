package org.ecstore.bench.peer.local;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.database.ServerUnavailableException;

/** A kind of store that ecStore is measured beside. */
public interface Peer {
  /**
   * Where one is made.
   *
   * @param directory for its data and logs; made if it is not there
   * @param artifacts where its program is from
   * @param progress is told what happens
   */
  record Place(Path directory, MavenArtifacts artifacts, Consumer<String> progress) {}

  /** As users name it. */
  String name();

  /** What its makers ship it with, or what most of its users run. */
  Durability usual();

  /**
   * Starts one on the loopback address, and returns when it serves.
   *
   * @throws ServerUnavailableException if it is not available; nothing runs then
   */
  StartedTarget start(Place place, Durability durability)
      throws ServerUnavailableException, InterruptedException;

  /**
   * One that runs. What it is set to is asked of it.
   *
   * @param addresses as {@code host:port,host:port}
   * @param processes of it on this machine, if they are known
   * @throws ServerUnavailableException if no server answers there
   */
  Target at(String addresses, List<Long> processes) throws ServerUnavailableException;
}
