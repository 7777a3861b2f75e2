package org.ecstore.model;

/**
 * What a commit says of the store's catalog: which tables there are, with which schemas and indexes
 * (decision 0064).
 *
 * @param version the version that the transaction was made under: its commit is numbered only if it
 *     is the newest by then
 * @param changes whether the transaction changes the catalog: with it the next version begins
 */
public record CatalogStamp(long version, boolean changes) {
  /** A transaction that changes nothing in the catalog. */
  public static CatalogStamp at(long version) {
    return new CatalogStamp(version, false);
  }

  /** The version that a commit begins; 0 if it leaves the catalog as it is. */
  public long begins() {
    return changes ? version + 1 : 0;
  }
}
