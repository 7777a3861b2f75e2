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

/** The line of the documents shows a row. */
@ResourceLock(RedisUnderTest.LOCK)
final class RedisReadableTest {
  private static String line() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "engines.md"));
    int begin = page.indexOf("```redis\n") + "```redis\n".length();
    return page.substring(begin, page.indexOf("```", begin)).strip();
  }

  /** The server reads a line as {@code redis-cli} does, its quotes and escapes too. */
  @Test
  void theDatabasesOwnClientReadsARow(@TempDir Path directory) throws Exception {
    RedisUnderTest database = RedisUnderTest.get();
    String[] address = database.server.address().split(":", -1);
    Row row =
        new Row(Tuple.of("users", "anna").encode(), new Position(7), Bytes.utf8("M\u00fcnchen"));
    try (OrderedStore store =
            RedisStore.open(directory, RedisUnderTest.settings(database.url(), "shop_1"));
        Socket socket = new Socket(address[0], Integer.parseInt(address[1]));
        BufferedReader answer =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      store.write(new StoreBatch(List.of(row), List.of(), List.of()));
      socket.getOutputStream().write((line() + "\r\n").getBytes(StandardCharsets.UTF_8));
      assertEquals("$10", answer.readLine());
      assertEquals("7 M\u00fcnchen", answer.readLine());
    }
  }
}
