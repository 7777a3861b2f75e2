package org.ecstore.engines.mysql;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.ServedKind;
import org.ecstore.engines.store.ServerAddress;
import org.ecstore.model.EngineTraits;

/** A MariaDB or MySQL server, by JDBC. */
public final class MysqlKind extends ServedKind {
  static final String NAME = "mysql";

  /** With a database; whatever else the driver knows of hosts may stand before it. */
  private static final Pattern URL =
      Pattern.compile("jdbc:(?:mariadb|mysql):(?:[a-z0-9+-]+:)*//[^/?]*/[^/?]+(?:\\?.*)?");

  /** Without a word for how one of several is chosen, and without a second host. */
  private static final Pattern ONE_SERVER = Pattern.compile("jdbc:(?:mariadb|mysql)://[^/?,]*/.*");

  private static final Pattern ADDRESS = Pattern.compile("jdbc:(?:mariadb|mysql)://([^/?]*)/.*");

  /** Within an address in parts, {@code address=(host=db)(port=3306)}. */
  private static final Pattern PORT = Pattern.compile("(?i)\\(\\s*port\\s*=([^)]*)\\)");

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
    Matcher address = ADDRESS.matcher(url);
    if (!ONE_SERVER.matcher(url).matches() || !address.matches()) {
      return Optional.of(
          "must name one server, and no way to choose among several: what a store has confirmed"
              + " is on one");
    }
    return addressProblem(address.group(1)).or(() -> RefusedOptions.problem(url));
  }

  /** The driver knows no user before the host, and would say what stands there as it fails. */
  private static Optional<String> addressProblem(String address) {
    if (address.contains("@")) {
      return Optional.of(
          "must not say before the host who logs in: engine.user and engine.password-file do");
    }
    if (address.toLowerCase(Locale.ROOT).startsWith("address=")) {
      Matcher port = PORT.matcher(address);
      return port.find() ? ServerAddress.portProblem(port.group(1).strip()) : Optional.empty();
    }
    // Without an address the driver has the usual one, or a socket that an option names.
    return address.isEmpty() ? Optional.empty() : ServerAddress.problem(address);
  }

  /** The driver takes what the URL says before what it is given. */
  @Override
  protected LogIn logIn(String url) {
    Set<String> options = RefusedOptions.names(url);
    return new LogIn(options.contains("user"), options.contains("password"), false);
  }

  @Override
  protected OrderedStore open(Path directory, EngineServer server) {
    return MysqlStore.open(directory, MysqlSettings.of(server));
  }
}
