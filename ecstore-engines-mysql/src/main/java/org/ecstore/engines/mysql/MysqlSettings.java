package org.ecstore.engines.mysql;

import java.time.Duration;
import org.ecstore.check.Check;
import org.ecstore.engines.EngineServer;

/**
 * Settings of a {@link MysqlStore}.
 *
 * @param server with a database in its URL
 * @param answerWithin a statement that takes longer has failed, and its connection is given up
 * @param readers connections that read
 */
public record MysqlSettings(EngineServer server, Duration answerWithin, int readers) {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);
  private static final int READERS = 8;

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
