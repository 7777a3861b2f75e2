package org.ecstore.cluster.zookeeper.server;

import java.io.IOException;
import java.net.BindException;
import java.net.SocketException;
import java.nio.file.Path;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.ecstore.server.file.FileErrors;
import org.ecstore.server.refusal.Outlook;

/** Turns what ZooKeeper says when a server cannot start into one message that says what to do. */
final class ServerRefusals {
  private ServerRefusals() {}

  /** An address that cannot be listened on: what has it may end before the next start. */
  static ZooKeeperStartException taken(String address, SocketException cause) {
    return new ZooKeeperStartException(
        "ZooKeeper cannot listen on "
            + address
            + ": "
            + cause.getMessage()
            + ". End what listens there, or choose another port.",
        cause,
        Outlook.NEXT_START);
  }

  /** Why a server on a directory did not start. */
  static ZooKeeperStartException explain(Path directory, String address, Throwable cause) {
    Throwable root = cause;
    for (Throwable next = cause; next != null; next = next.getCause()) {
      if (next instanceof ZooKeeperStartException known) {
        return known;
      }
      if (next instanceof BindException taken) {
        return taken(address, taken);
      }
      root = next;
    }
    return root instanceof IOException failure && isOfTheData(failure)
        ? damaged(directory, failure, cause)
        : ended(directory, root, cause);
  }

  private static boolean isOfTheData(IOException failure) {
    return !(failure instanceof SocketException)
        && !(failure instanceof FileTxnSnapLog.DatadirException)
        && !FileErrors.mayPass(failure);
  }

  /** ZooKeeper says of everything that it cannot read that it is an IOException. */
  private static ZooKeeperStartException damaged(
      Path directory, IOException root, Throwable cause) {
    return new ZooKeeperStartException(
        "the ZooKeeper server cannot read its data in "
            + directory
            + ": "
            + root
            + ". Nothing was changed there. Put a whole copy in its place; a member of an ensemble"
            + " may begin anew with a directory that holds an empty file "
            + ServerData.REJOIN
            + " and nothing else, when all others are up and agree.",
        cause,
        Outlook.LASTING);
  }

  /** A full disk, too little memory, or an error of its own: none says that the data is damaged. */
  private static ZooKeeperStartException ended(Path directory, Throwable root, Throwable cause) {
    return new ZooKeeperStartException(
        "the ZooKeeper server on " + directory + " ended while it started: " + root,
        cause,
        Outlook.NEXT_START);
  }
}
