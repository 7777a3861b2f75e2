package org.ecstore.engines.redis;

import io.lettuce.core.RedisURI;
import java.nio.file.Path;
import java.util.Optional;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.ServedKind;
import org.ecstore.engines.store.ServerAddress;
import org.ecstore.model.EngineTraits;

/** A Redis server, by Lettuce. */
public final class RedisKind extends ServedKind {
  static final String NAME = "redis";
  static final EngineTraits TRAITS = new EngineTraits(NAME, true, true, true, false);

  /** The kind, as a service. */
  public RedisKind() {
    super(NAME, "redis://localhost:6379");
  }

  @Override
  public EngineTraits traits() {
    return TRAITS;
  }

  @Override
  protected boolean isUrl(String url) {
    try {
      RedisURI.create(url);
      RedisUrl.of(url);
      return true;
    } catch (RuntimeException _) {
      return false;
    }
  }

  @Override
  protected Optional<String> optionProblem(String url) {
    String address = RedisUrl.of(url).address();
    boolean isChoice = !RedisURI.create(url).getSentinels().isEmpty() || address.contains(",");
    return isChoice
        ? Optional.of(
            "must name one server, and no way to choose among several: what a store has confirmed"
                + " is on one")
        : ServerAddress.problem(address);
  }

  @Override
  protected LogIn logIn(String url) {
    RedisUrl said = RedisUrl.of(url);
    return new LogIn(said.user().isPresent(), said.password().isPresent(), true);
  }

  @Override
  protected OrderedStore open(Path directory, EngineServer server) {
    return RedisStore.open(directory, RedisSettings.of(server));
  }
}
