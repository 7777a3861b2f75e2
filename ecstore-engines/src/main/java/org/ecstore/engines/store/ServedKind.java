package org.ecstore.engines.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  /**
   * What a URL says of who logs in.
   *
   * @param user whether it names one
   * @param password whether it has one
   * @param needsPassword whether a user counts for nothing without a password
   */
  public record LogIn(boolean user, boolean password, boolean needsPassword) {}

  /** What a URL of the kind says of who logs in. */
  protected LogIn logIn(String url) {
    return new LogIn(false, false, false);
  }

  @Override
  public final List<String> logInProblems(String url, boolean hasUser, boolean hasPassword) {
    LogIn said = logIn(url);
    List<String> problems = new ArrayList<>();
    if (said.user() && hasUser) {
      problems.add("names a user, and engine.user is given too: give one");
    }
    if (said.password() && hasPassword) {
      problems.add(
          "has a password, and engine.password-file or engine.password is given too: give one");
    }
    boolean isAnyUser = said.user() || hasUser;
    boolean isAnyPassword = said.password() || hasPassword;
    if (said.needsPassword() && isAnyUser && !isAnyPassword) {
      problems.add(
          "has no password, and none is given for the user: give one in engine.password-file");
    }
    return problems;
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
    List<String> atOdds =
        logInProblems(server.url(), server.user().isPresent(), server.password().isPresent());
    if (!atOdds.isEmpty()) {
      throw new EngineOpenException(directory, "engine.url " + String.join("; ", atOdds));
    }
    return open(directory, server);
  }
}
