package org.ecstore.engines.mysql;

import java.util.List;

/**
 * The tables of a store, by their names, and the statements on them.
 *
 * <p>Rows with keys that fit into an index are in one, in the order of their keys. Longer ones are
 * in another, found by the hash of their key and ordered by its first bytes. One row says whose the
 * store is, and how often it was written to.
 */
final class Tables {
  /** The longest key that InnoDB has an index of. */
  static final int INDEXED_BYTES_MAX = 3_072;

  private static final int TAIL_BYTES_MAX = 1_024;

  /** More than what the server sorts by; if not told, it compares the first 1,024 bytes only. */
  private static final int SORTED_BYTES_MAX = 8_192;

  /** A statement finds all that there is. */
  private static final String SELECT_ALL = "sql_select_limit = 18446744073709551615";

  private static final String OPTIONS = " ENGINE=InnoDB ROW_FORMAT=DYNAMIC";

  private final String owner;
  private final String rows;
  private final String overflow;
  private final String metadata;

  Tables(String store) {
    String prefix = "ecstore_" + store;
    owner = prefix + "_owner";
    rows = prefix + "_rows";
    overflow = prefix + "_long_rows";
    metadata = prefix + "_metadata";
  }

  String owner() {
    return owner;
  }

  String rows() {
    return rows;
  }

  List<String> names() {
    return List.of(rows, overflow, metadata, owner);
  }

  List<String> creation() {
    return List.of(
        "CREATE TABLE IF NOT EXISTS "
            + rows
            + " (k VARBINARY("
            + INDEXED_BYTES_MAX
            + ") NOT NULL PRIMARY KEY, version BIGINT NOT NULL, v LONGBLOB NOT NULL)"
            + OPTIONS,
        "CREATE TABLE IF NOT EXISTS "
            + overflow
            + " (id BINARY(32) NOT NULL PRIMARY KEY, head VARBINARY("
            + INDEXED_BYTES_MAX
            + ") NOT NULL, tail VARBINARY("
            + TAIL_BYTES_MAX
            + ") NOT NULL, version BIGINT NOT NULL, v LONGBLOB NOT NULL, KEY heads (head))"
            + OPTIONS,
        "CREATE TABLE IF NOT EXISTS "
            + metadata
            + " (name VARBINARY("
            + INDEXED_BYTES_MAX
            + ") NOT NULL PRIMARY KEY, v LONGBLOB NOT NULL)"
            + OPTIONS,
        // Last: where it is, the others are.
        "CREATE TABLE IF NOT EXISTS "
            + owner
            + " (id TINYINT NOT NULL PRIMARY KEY, identity CHAR(36) NOT NULL, token CHAR(36) NOT"
            + " NULL, sequence BIGINT NOT NULL)"
            + OPTIONS);
  }

  // The owner.

  String addOwner() {
    return "INSERT IGNORE INTO " + owner + " (id, identity, token, sequence) VALUES (1, ?, ?, 0)";
  }

  String identity() {
    return "SELECT identity FROM " + owner + " WHERE id = 1";
  }

  String lockOwner() {
    return "SELECT identity, token, sequence FROM " + owner + " WHERE id = 1 FOR UPDATE";
  }

  String takeOver() {
    return "UPDATE " + owner + " SET token = ?, sequence = sequence + 1 WHERE id = 1";
  }

  /** Locks the owner's row, and counts; of no row if another has taken over. */
  String advance() {
    return "UPDATE "
        + owner
        + " SET sequence = ? WHERE id = 1 AND token = ? AND sequence BETWEEN ? AND ?";
  }

  /** The sequence as the first row of what a statement finds, if the token is the owner's. */
  private String fenced(String selected) {
    return "(SELECT NULL AS k, sequence AS version, NULL AS v, 0 AS bytes FROM "
        + owner
        + " WHERE id = 1 AND token = ?) UNION ALL ("
        + selected
        + ")";
  }

  // Changes.

  String put() {
    return "INSERT INTO "
        + rows
        + " (k, version, v) VALUES (?, ?, ?)"
        + " ON DUPLICATE KEY UPDATE version = VALUES(version), v = VALUES(v)";
  }

  String putLong() {
    return "INSERT INTO "
        + overflow
        + " (id, head, tail, version, v) VALUES (?, ?, ?, ?, ?)"
        + " ON DUPLICATE KEY UPDATE version = VALUES(version), v = VALUES(v)";
  }

  String delete() {
    return "DELETE FROM " + rows + " WHERE k = ?";
  }

  String deleteLong() {
    return "DELETE FROM " + overflow + " WHERE id = ?";
  }

  String note() {
    return "INSERT INTO "
        + metadata
        + " (name, v) VALUES (?, ?) ON DUPLICATE KEY UPDATE v = VALUES(v)";
  }

  String forget() {
    return "DELETE FROM " + metadata + " WHERE name = ?";
  }

  /** The key behind so many of the first ones. */
  String behind(boolean bounded) {
    return "SELECT k FROM " + rows + within(bounded) + " ORDER BY k LIMIT ?, 1";
  }

  String clear(boolean bounded) {
    return "DELETE FROM " + rows + within(bounded) + " ORDER BY k LIMIT ?";
  }

  String clearLong(boolean bounded) {
    return "DELETE FROM " + overflow + withinLong(bounded) + " LIMIT ?";
  }

  // Reads.

  /**
   * The value of a row and its length, without it if it is longer than what the first place behind
   * the token says. If only keys are asked for there is no such place.
   */
  private static String value(String v, boolean keysOnly) {
    return keysOnly ? "'', 0" : "IF(LENGTH(" + v + ") <= ?, " + v + ", NULL), LENGTH(" + v + ")";
  }

  /** As many places for keys as there are. */
  String get(int keys) {
    return fenced(
        "SELECT k, version, "
            + value("v", false)
            + " FROM "
            + rows
            + " WHERE k IN (?"
            + ", ?".repeat(keys - 1)
            + ")");
  }

  String getLong() {
    return fenced("SELECT id, version, v, LENGTH(v) FROM " + overflow + " WHERE id = ?");
  }

  String scan(boolean bounded, boolean reverse, boolean keysOnly) {
    return fenced(
        "SELECT k, version, "
            + value("v", keysOnly)
            + " FROM "
            + rows
            + within(bounded)
            + " ORDER BY k"
            + (reverse ? " DESC" : "")
            + " LIMIT ?");
  }

  /** The first bytes of the next long keys. */
  String heads(boolean bounded, boolean reverse) {
    return fenced(
        "SELECT head, 0, '', 0 FROM "
            + overflow
            + withinLong(bounded)
            + " ORDER BY head"
            + (reverse ? " DESC" : "")
            + " LIMIT ?");
  }

  /**
   * The next long keys of an interval up to some first bytes. The server sorts what their rows are
   * found by, and not their values.
   */
  String scanLong(boolean bounded, boolean reverse, boolean keysOnly) {
    String order = reverse ? " DESC" : "";
    return fenced(
        "SELECT CONCAT(rest.head, rest.tail), rest.version, "
            + value("rest.v", keysOnly)
            + " FROM (SELECT id FROM "
            + overflow
            + withinLong(bounded)
            + " AND head "
            + (reverse ? ">= ?" : "<= ?")
            + " ORDER BY head"
            + order
            + ", tail"
            + order
            + " LIMIT ?) page JOIN "
            + overflow
            + " rest ON rest.id = page.id");
  }

  /**
   * For connections that read: what a server is set to for its sessions would have pages end before
   * their rows do.
   */
  static String readerSettings() {
    return "SET SESSION max_sort_length = " + SORTED_BYTES_MAX + ", sql_mode = '', " + SELECT_ALL;
  }

  /** For the connection that writes. What does not fit is an error, and not cut. */
  static String writerSettings() {
    return "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', " + SELECT_ALL;
  }

  String anyLong() {
    return "SELECT 1 FROM " + overflow + " LIMIT 1";
  }

  String metadata() {
    return fenced("SELECT name, 0, v, LENGTH(v) FROM " + metadata + " ORDER BY name LIMIT 1000000");
  }

  String count(boolean bounded) {
    return "SELECT COUNT(*) FROM (SELECT 1 FROM " + rows + within(bounded) + " LIMIT ?) some";
  }

  String countLong(boolean bounded) {
    return "SELECT COUNT(*) FROM (SELECT 1 FROM "
        + overflow
        + withinLong(bounded)
        + " LIMIT ?) some";
  }

  String lengths(boolean bounded) {
    return "SELECT LENGTH(k) + LENGTH(v) FROM " + rows + within(bounded) + " ORDER BY k LIMIT ?";
  }

  String lengthsLong(boolean bounded) {
    return "SELECT LENGTH(head) + LENGTH(tail) + LENGTH(v) FROM "
        + overflow
        + withinLong(bounded)
        + " LIMIT ?";
  }

  String estimate(boolean bounded) {
    return "EXPLAIN SELECT version FROM " + rows + " FORCE INDEX (PRIMARY)" + within(bounded);
  }

  /** Has the server look at the table for its plans. */
  String analysis() {
    return "ANALYZE LOCAL TABLE " + rows;
  }

  private static String within(boolean bounded) {
    return " WHERE k >= ?" + (bounded ? " AND k < ?" : "");
  }

  /** An order of heads, then of tails: each bound is given twice, by its head and its tail. */
  private static String withinLong(boolean bounded) {
    return " WHERE head >= ? AND NOT (head = ? AND tail < ?)"
        + (bounded ? " AND head <= ? AND NOT (head = ? AND tail >= ?)" : "");
  }
}
