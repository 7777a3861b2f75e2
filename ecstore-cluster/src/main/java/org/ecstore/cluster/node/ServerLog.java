package org.ecstore.cluster.node;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import org.ecstore.cluster.config.LogLevel;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.server.file.FileErrors;

/** Where and what a server's process logs. */
public final class ServerLog {
  private static final String LOGGER = "org.slf4j.simpleLogger.";

  /** They call an error what is part of a day's work; what it means to a node, the node logs. */
  private static final List<String> NOISY =
      List.of(
          "org.apache.bookkeeper.bookie.BookieStateManager",
          "org.apache.bookkeeper.bookie.Journal",
          "org.apache.bookkeeper.client",
          "org.apache.bookkeeper.discover",
          "org.apache.bookkeeper.meta",
          "org.apache.bookkeeper.proto",
          "org.apache.bookkeeper.zookeeper",
          "org.apache.curator",
          "org.apache.zookeeper.server.quorum");

  private ServerLog() {}

  /**
   * Sets the log up, for the whole process. Loggers that were made before keep their level.
   *
   * @throws StartRefusedException if the file cannot be written to
   */
  public static void begin(ServerConfig.Log log) {
    System.setProperty(LOGGER + "defaultLogLevel", log.libraries().written());
    System.setProperty(LOGGER + "log.org.ecstore", log.level().written());
    if (log.libraries() != LogLevel.DEBUG) {
      NOISY.forEach(name -> System.setProperty(LOGGER + "log." + name, "off"));
    }
    System.setProperty(LOGGER + "dateTimeFormat", "yyyy-MM-dd HH:mm:ss.SSS");
    log.file().ifPresent(file -> logTo(file, log));
  }

  /** The logger writes to whatever is standard error; so do libraries that print. */
  private static void logTo(Path file, ServerConfig.Log log) {
    try {
      LogFile to = new LogFile(file, log.fileBytesMax(), log.files());
      System.setErr(new PrintStream(to, true, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw refusal(file, e);
    }
  }

  /** A full disk may have room at the next start; a place that is wrong stays so. */
  static StartRefusedException refusal(Path file, IOException failure) {
    String reason =
        failure instanceof FileSystemException known
            ? FileErrors.reason(known)
            : String.valueOf(failure.getMessage());
    String message = "log.file " + file + " cannot be written to: " + reason;
    return FileErrors.isOfThePlace(failure)
        ? new StartRefusedException(message, failure)
        : StartRefusedException.temporary(message, failure);
  }
}
