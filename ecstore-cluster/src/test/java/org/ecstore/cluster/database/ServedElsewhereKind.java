package org.ecstore.cluster.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.ServedKind;
import org.ecstore.engines.store.StoreKind;
import org.ecstore.model.EngineTraits;

/** A kind of store, as of another's artifact, whose servers are not made here. */
public final class ServedElsewhereKind extends ServedKind {
  /** Its name. */
  public static final String NAME = "elsewhere";

  /** The kind, as a service. */
  public ServedElsewhereKind() {
    super(NAME, "elsewhere://localhost:1");
  }

  /**
   * What a class path has in front so that the kind is one of those that there are.
   *
   * @param directory for that
   */
  public static Path announcedIn(Path directory) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(StoreKind.class.getName()), ServedElsewhereKind.class.getName());
    return directory;
  }

  @Override
  public EngineTraits traits() {
    return new EngineTraits(NAME, true, true, false, true);
  }

  @Override
  protected boolean isUrl(String url) {
    return url.startsWith(NAME + "://");
  }

  @Override
  protected OrderedStore open(Path directory, EngineServer server) {
    throw new UnsupportedOperationException("no node of this kind starts here");
  }
}
