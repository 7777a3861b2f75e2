package org.ecstore.cluster.node;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.FileSystemException;
import org.ecstore.cluster.bookkeeper.bookie.BookKeeperStartException;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.zookeeper.server.ZooKeeperStartException;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.OtherEngineException;
import org.ecstore.server.coordination.CorruptCoordinationException;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.server.file.FileErrors;
import org.ecstore.server.ledger.CorruptLedgerException;
import org.ecstore.server.ledger.segment.WrongLedgerException;
import org.ecstore.server.parts.MixedPartsException;

/**
 * Which failures of a start are refusals, and which of these may pass by themselves. A node that
 * refuses for good stays down; one whose reason may pass is started again (decision 0034).
 */
final class StartRefusals {
  private StartRefusals() {}

  /**
   * The refusal that a failure comes to.
   *
   * @return what has to be thrown instead
   * @throws IOException the failure itself, if it is no refusal
   */
  static RuntimeException of(ServerConfig config, Exception failure) throws IOException {
    return switch (failure) {
      case CorruptLedgerException e -> lasting(e);
      case WrongLedgerException e -> lasting(e);
      case CorruptCoordinationException e -> lasting(e);
      case MixedPartsException e -> lasting(e);
      case BookKeeperStartException e -> e.isLasting() ? lasting(e) : temporary(e);
      case DirectoryInUseException e -> lasting(e);
      case ZooKeeperStartException e -> e.isLasting() ? lasting(e) : temporary(e);
      case OtherEngineException e -> lasting(e);
      case EngineOpenException e -> temporary(e);
      case BindException e -> PortCheck.stillTaken(config.listen(), e);
      case FileSystemException e -> ofFile(e);
      case IOException e when FileErrors.isOfThePlace(e) -> lasting(e);
      case RuntimeException e -> e;
      case IOException e -> throw e;
      default -> throw new IllegalStateException(failure);
    };
  }

  /** A place that is not there or not ours stays so; a disk that is full or fails may not. */
  private static StartRefusedException ofFile(FileSystemException failure) {
    String message = failure.getFile() + ": " + FileErrors.reason(failure);
    return FileErrors.isOfThePlace(failure)
        ? new StartRefusedException(message, failure)
        : StartRefusedException.temporary(message, failure);
  }

  private static StartRefusedException lasting(Exception failure) {
    return new StartRefusedException(String.valueOf(failure.getMessage()), failure);
  }

  private static StartRefusedException temporary(Exception failure) {
    return StartRefusedException.temporary(String.valueOf(failure.getMessage()), failure);
  }
}
