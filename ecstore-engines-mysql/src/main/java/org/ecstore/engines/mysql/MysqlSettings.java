package org.ecstore.engines.mysql;

import java.time.Duration;
import org.ecstore.check.Check;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.window.WindowThreads;

/**
 * Settings of a {@link MysqlStore}.
 *
 * @param server with a database in its URL
 * @param answerWithin a statement that takes longer has failed, and its connection is given up
 * @param readers connections that read, at most
 */
public record MysqlSettings(EngineServer server, Duration answerWithin, int readers) {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);

  /** What an estimate reads with at a time, which no read takes more of. */
  private static final int CONNECTIONS_EACH = 2;

  /** Of the thread that folds, and of the one that looks for notes. */
  private static final int CONNECTIONS_BESIDE = 2;

  /** So that no thread which reads waits for a connection of another one's. */
  private static final int READERS =
      CONNECTIONS_EACH * WindowThreads.Bounds.DEFAULT.withServer().readers() + CONNECTIONS_BESIDE;

  /** How a store's name may be written: it is part of the names of tables. */
  private static final String STORE_NAME = "[a-z0-9_]{1,48}";

  public MysqlSettings {
    Check.that(server.store().matches(STORE_NAME), "a store has a name that tables can have");
    Check.that(answerWithin.toMillis() > 0 && readers > 0, "waits and readers are positive");
  }

  /** What a node uses. */
  public static MysqlSettings of(EngineServer server) {
    return new MysqlSettings(server, ANSWER_WITHIN, READERS);
  }

  /** These, with another timeout. */
  public MysqlSettings withAnswerWithin(Duration other) {
    return new MysqlSettings(server, other, readers);
  }

  /** What the driver says, without what is secret of the URL. */
  String covered(String message) {
    return message.replace(url(), EngineServer.shown(url()));
  }

  /** The URL as the driver wants it, which is MariaDB's for both kinds of server. */
  String url() {
    String mysql = "jdbc:mysql:";
    String url = server.url();
    return url.startsWith(mysql) ? "jdbc:mariadb:" + url.substring(mysql.length()) : url;
  }
}
