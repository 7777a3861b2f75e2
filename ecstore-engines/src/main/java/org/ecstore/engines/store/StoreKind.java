package org.ecstore.engines.store;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.ecstore.engines.EngineSettings;
import org.ecstore.model.EngineTraits;

/**
 * A kind of {@link OrderedStore}, by its name in a configuration file. A service: an artifact that
 * brings another kind names its class in {@code
 * META-INF/services/org.ecstore.engines.store.StoreKind}.
 */
public interface StoreKind {
  /** Lower case, unique, never changed: it stands in configuration files and in directories. */
  String name();

  /** Whether its data are on a server of its own, which {@link EngineSettings#server} tells of. */
  default boolean hasServer() {
    return false;
  }

  /**
   * What is wrong with a URL of a server, as {@code must ...}; empty if nothing is that can be told
   * without asking the server. Names what it sets, and says none of its values, which may be
   * secret.
   */
  default Optional<String> urlProblem(String url) {
    return Optional.empty();
  }

  /**
   * What of a URL of a server is at odds with what is said beside it of who logs in, as {@code
   * names ...}; empty if nothing is. Says no value, which may be secret.
   *
   * @param hasUser whether a user is named beside it
   * @param hasPassword whether a password is given beside it
   */
  default List<String> logInProblems(String url, boolean hasUser, boolean hasPassword) {
    return List.of();
  }

  /** What its stores are good at, as their profiles say: it decides where copies go (rule 23). */
  EngineTraits traits();

  /**
   * Opens the store of a directory, which is created if need be. A store behind a server keeps what
   * it must remember of the server there.
   *
   * @throws org.ecstore.engines.EngineLockedException if it is in use
   * @throws org.ecstore.engines.EngineOpenException if it cannot be opened: corrupt, of another
   *     kind, an I/O error, a server that does not answer
   */
  OrderedStore open(Path directory, EngineSettings settings);
}
