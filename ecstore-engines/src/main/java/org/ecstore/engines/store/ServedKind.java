package org.ecstore.engines.store;

import java.nio.file.Path;
import java.util.Optional;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.EngineSettings;

/** A kind of store whose data are on a server of its own. */
public abstract class ServedKind implements StoreKind {
  private final String name;
  private final String urlExample;

  /**
   * A kind.
   *
   * @param urlExample how its servers are named, told where the settings name none
   */
  protected ServedKind(String name, String urlExample) {
    this.name = name;
    this.urlExample = urlExample;
  }

  /** As {@link #open(Path, EngineSettings)}, with the server that the settings name. */
  protected abstract OrderedStore open(Path directory, EngineServer server);

  /** Whether a URL names a server of the kind, with all that the kind has to know of it. */
  protected abstract boolean isUrl(String url);

  /** What a URL of the kind must not have, as {@code must ...}; empty if it has nothing of it. */
  protected Optional<String> optionProblem(String url) {
    return Optional.empty();
  }

  @Override
  public final Optional<String> urlProblem(String url) {
    return isUrl(url) ? optionProblem(url) : Optional.of("must be like \"" + urlExample + '"');
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final boolean hasServer() {
    return true;
  }

  @Override
  public final OrderedStore open(Path directory, EngineSettings settings) {
    EngineServer server =
        settings
            .server()
            .orElseThrow(
                () ->
                    new EngineOpenException(
                        directory,
                        "engine.url must say where the server is, as in \"" + urlExample + "\""));
    Optional<String> problem = urlProblem(server.url());
    if (problem.isPresent()) {
      throw new EngineOpenException(directory, "engine.url " + problem.get());
    }
    return open(directory, server);
  }
}
