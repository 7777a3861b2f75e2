package org.ecstore.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** The lines of the documents show a row, and the keys of a table. */
@ResourceLock(RedisUnderTest.LOCK)
final class RedisReadableTest {
  private static List<String> lines() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "engines.md"));
    int begin = page.indexOf("```redis\n") + "```redis\n".length();
    return page.substring(begin, page.indexOf("```", begin)).strip().lines().toList();
  }

  private static Row row(String table, String key, long version, String value) {
    return new Row(Tuple.of(table, key).encode(), new Position(version), Bytes.utf8(value));
  }

  /** The server reads a line as {@code redis-cli} does, its quotes and escapes too. */
  @Test
  void theDatabasesOwnClientReadsARowAndTheKeysOfATable(@TempDir Path directory) throws Exception {
    RedisUnderTest database = RedisUnderTest.get();
    String[] address = database.address().split(":", -1);
    try (OrderedStore store =
            RedisStore.open(directory, RedisUnderTest.settings(database.url(), "ecstore_3"));
        Socket socket = new Socket(address[0], Integer.parseInt(address[1]));
        BufferedReader answer =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      store.write(
          new StoreBatch(
              List.of(
                  row("users", "bert", 8, "Hamburg"),
                  row("users", "anna", 7, "M\u00fcnchen"),
                  row("user", "carl", 9, "not of this table"),
                  row("userz", "carl", 9, "nor this")),
              List.of(),
              List.of()));
      socket
          .getOutputStream()
          .write((String.join("\r\n", lines()) + "\r\n").getBytes(StandardCharsets.UTF_8));
      for (String expected :
          List.of(
              "$10", "7 M\u00fcnchen", "*2", "$13", " users\0 anna\0", "$13", " users\0 bert\0")) {
        assertEquals(expected, answer.readLine());
      }
    }
  }
}
