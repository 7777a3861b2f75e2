package org.ecstore.client.error;

/**
 * A record has a value that another one has in a unique index. Nothing was done. A transaction
 * finds it when it commits, or before that when it reads by the index.
 */
public final class UniqueViolationException extends EcStoreException {
  private static final long serialVersionUID = 1L;

  private final String table;
  private final String index;
  private final String key;
  private final String owner;

  /**
   * @param key of the record that may not have the value, as text
   * @param owner the key of the record that has it, as text
   */
  public UniqueViolationException(
      String table, String index, Object value, Object key, Object owner) {
    super(
        ErrorCode.ALREADY_EXISTS,
        "another record has this value, and the index is unique",
        null,
        "table",
        table,
        "index",
        index,
        "value",
        value,
        "key",
        key,
        "owner",
        owner);
    this.table = table;
    this.index = index;
    this.key = key.toString();
    this.owner = owner.toString();
  }

  /** The table's name. */
  public String table() {
    return table;
  }

  /** The index's name. */
  public String index() {
    return index;
  }

  /** The key of the record that may not have the value, as {@code Tuple.toString} gives it. */
  public String key() {
    return key;
  }

  /** The key of the record that has it, likewise. */
  public String owner() {
    return owner;
  }
}
