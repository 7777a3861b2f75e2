package org.ecstore.engines.redis;

import java.time.Duration;
import org.ecstore.check.Check;
import org.ecstore.engines.EngineServer;

/**
 * Settings of a {@link RedisStore}.
 *
 * @param answerWithin a command that takes longer has failed
 */
public record RedisSettings(EngineServer server, Duration answerWithin) {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  public RedisSettings {
    Check.that(answerWithin.toMillis() > 0, "waits are positive");
  }

  /** What a node uses. */
  public static RedisSettings of(EngineServer server) {
    return new RedisSettings(server, ANSWER_WITHIN);
  }

  /** These, with another timeout. */
  public RedisSettings withAnswerWithin(Duration other) {
    return new RedisSettings(server, other);
  }
}
