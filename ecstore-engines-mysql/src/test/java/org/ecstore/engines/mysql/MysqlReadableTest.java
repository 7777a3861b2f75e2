package org.ecstore.engines.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The query and the view of the documents show what is in a table. */
@ResourceLock(MariaDbUnderTest.LOCK)
final class MysqlReadableTest {
  private static Row row(String table, String key, long version, String value) {
    return new Row(Tuple.of(table, key).encode(), new Position(version), Bytes.utf8(value));
  }

  /** The pieces of SQL of the page, in their order. */
  private static List<String> examples() throws Exception {
    List<String> examples = new ArrayList<>();
    String[] parts = Files.readString(Path.of("..", "docs", "engines.md")).split("```sql\n", -1);
    for (int i = 1; i < parts.length; i++) {
      examples.add(parts[i].substring(0, parts[i].indexOf("```")).strip().replace(";", ""));
    }
    return examples;
  }

  @Test
  void theDatabasesOwnClientReadsATable(@TempDir Path directory) throws Exception {
    MariaDbUnderTest database = MariaDbUnderTest.get();
    try (OrderedStore store = MysqlStore.open(directory, database.settings("ecstore_2"))) {
      store.write(
          new StoreBatch(
              List.of(
                  row("users", "bert", 8, "Hamburg"),
                  row("users", "Zoe", 5, "Rom"),
                  row("users", "anna", 7, "M\u00fcnchen"),
                  row("userz", "carl", 9, "not of this table")),
              List.of(),
              List.of()));
      try (Connection connection =
              DriverManager.getConnection(database.urlOf("ecstore") + "&password=secret");
          Statement statement = connection.createStatement()) {
        assertEquals(
            List.of(" users Zoe|5|Rom", " users anna|7|M\u00fcnchen", " users bert|8|Hamburg"),
            found(statement, examples().getFirst()));
        statement.execute(examples().getLast());
        try {
          assertEquals(
              List.of("bert|8|Hamburg", "anna|7|M\u00fcnchen", "Zoe|5|Rom"),
              found(statement, "SELECT name, version, value FROM users ORDER BY version DESC"));
        } finally {
          statement.execute("DROP VIEW users");
        }
      }
    }
  }

  private static List<String> found(Statement statement, String query) throws Exception {
    List<String> found = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        found.add(rows.getString(1) + "|" + rows.getLong(2) + "|" + rows.getString(3));
      }
    }
    return found;
  }
}
