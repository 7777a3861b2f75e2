package org.ecstore.client.error;

/**
 * The store's catalog has changed since the transaction was begun, by this program or another: it
 * made or dropped an index, or a table. Nothing was done; {@code EcStore.transact} tries again by
 * itself, by the catalog as it is now.
 */
public final class CatalogChangedException extends EcStoreException {
  private static final long serialVersionUID = 1L;

  private final long version;

  /** By the version that the catalog is at now. */
  public CatalogChangedException(long version) {
    super(
        ErrorCode.CONFLICT,
        "the store's catalog has changed since the transaction was begun: begin it again",
        null,
        "version",
        version);
    this.version = version;
  }

  /** The version that the catalog is at now. */
  public long version() {
    return version;
  }
}
