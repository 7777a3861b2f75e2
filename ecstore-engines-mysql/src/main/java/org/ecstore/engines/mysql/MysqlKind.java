package org.ecstore.engines.mysql;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.ServedKind;
import org.ecstore.model.EngineTraits;

/** A MariaDB or MySQL server, by JDBC. */
public final class MysqlKind extends ServedKind {
  static final String NAME = "mysql";

  /** With a database; whatever else the driver knows of hosts may stand before it. */
  private static final Pattern URL =
      Pattern.compile("jdbc:(?:mariadb|mysql):(?:[a-z0-9+-]+:)*//[^/?]*/[^/?]+(?:\\?.*)?");

  /** Without a word for how one of several is chosen, and without a second host. */
  private static final Pattern ONE_SERVER = Pattern.compile("jdbc:(?:mariadb|mysql)://[^/?,]*/.*");

  static final EngineTraits TRAITS = new EngineTraits(NAME, false, true, false, true);

  /** The kind, as a service. */
  public MysqlKind() {
    super(NAME, "jdbc:mariadb://localhost:3306/ecstore");
  }

  @Override
  public EngineTraits traits() {
    return TRAITS;
  }

  @Override
  protected boolean isUrl(String url) {
    return URL.matcher(url).matches();
  }

  @Override
  protected Optional<String> optionProblem(String url) {
    return ONE_SERVER.matcher(url).matches()
        ? RefusedOptions.problem(url)
        : Optional.of(
            "must name one server, and no way to choose among several: what a store has confirmed"
                + " is on one");
  }

  @Override
  protected OrderedStore open(Path directory, EngineServer server) {
    return MysqlStore.open(directory, MysqlSettings.of(server));
  }
}
