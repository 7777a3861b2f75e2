package org.ecstore.engines.mysql;

import java.nio.file.Path;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreKind;

/** A MariaDB or MySQL server, by JDBC. */
public final class MysqlKind implements StoreKind {
  static final String NAME = "mysql";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean hasServer() {
    return true;
  }

  @Override
  public OrderedStore open(Path directory, EngineSettings settings) {
    return MysqlStore.open(
        directory,
        settings
            .server()
            .map(MysqlSettings::of)
            .orElseThrow(
                () ->
                    new EngineOpenException(
                        directory,
                        "engine.url must say where the server is, as in"
                            + " \"jdbc:mariadb://localhost:3306/ecstore\"")));
  }
}
