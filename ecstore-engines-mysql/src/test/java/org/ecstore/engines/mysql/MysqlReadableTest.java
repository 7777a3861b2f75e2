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

/** The query of the documents shows what is in a table. */
@ResourceLock(MariaDbUnderTest.LOCK)
final class MysqlReadableTest {
  private static Row row(String table, String key, long version, String value) {
    return new Row(Tuple.of(table, key).encode(), new Position(version), Bytes.utf8(value));
  }

  private static String query() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "engines.md"));
    int begin = page.indexOf("```sql\n") + "```sql\n".length();
    return page.substring(begin, page.indexOf("```", begin)).strip().replace(";", "");
  }

  @Test
  void theDatabasesOwnClientReadsATable(@TempDir Path directory) throws Exception {
    MariaDbUnderTest database = MariaDbUnderTest.get();
    try (OrderedStore store = MysqlStore.open(directory, database.settings("shop_1"))) {
      store.write(
          new StoreBatch(
              List.of(
                  row("users", "bert", 8, "Hamburg"),
                  row("users", "anna", 7, "M\u00fcnchen"),
                  row("userz", "carl", 9, "not of this table")),
              List.of(),
              List.of()));
      List<String> found = new ArrayList<>();
      try (Connection connection =
              DriverManager.getConnection(database.url() + "?user=ecstore&password=secret");
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(query())) {
        while (rows.next()) {
          found.add(rows.getString(1) + "|" + rows.getLong(2) + "|" + rows.getString(3));
        }
      }
      assertEquals(List.of(" users anna|7|M\u00fcnchen", " users bert|8|Hamburg"), found);
    }
  }
}
