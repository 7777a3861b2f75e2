package org.ecstore.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.ecstore.engines.EngineOpenException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that is older than what it is asked for is refused before anything is written. */
class RedisReleaseTest {
  @TempDir private Path directory;

  private static String info(String version) {
    return "# Server\r\nredis_version:" + version + "\r\nredis_mode:standalone\r\n";
  }

  @Test
  void releasesAreComparedByTheirFirstTwoNumbers() {
    for (String old : List.of("5.0.14", "6.0.20", "2.8.4", "6.1.240-rc1")) {
      assertEquals(
          Optional.of("the server is Redis " + old + ", and 6.2 or later is needed"),
          RedisServer.tooOld(info(old)));
    }
    for (String good : List.of("6.2.0", "6.2.14", "7.0.0", "10.1.2", "255.255.255")) {
      assertEquals(Optional.empty(), RedisServer.tooOld(info(good)), good);
    }
    assertEquals(Optional.empty(), RedisServer.tooOld(info("unstable")), "it does not say");
    assertEquals(Optional.empty(), RedisServer.tooOld(""));
  }

  /** It knows no commands but INFO and PING: a store says of it why it does not open. */
  @Test
  @Timeout(60)
  void aStoreIsNotOpenedOnAnOlderServer() throws IOException {
    try (ServerSocket old = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answer(old));
      String url = "redis://127.0.0.1:" + old.getLocalPort();
      EngineOpenException refused =
          assertThrows(
              EngineOpenException.class,
              () -> RedisStore.open(directory, RedisUnderTest.hasty(url, "old")));
      String why = String.valueOf(refused.getMessage());
      assertTrue(why.endsWith("the server is Redis 5.0.14, and 6.2 or later is needed"), why);
    }
  }

  private static String reply(String command) {
    String text = info("5.0.14");
    return switch (command.toUpperCase(Locale.ROOT)) {
      case "INFO" -> "$" + text.length() + "\r\n" + text + "\r\n";
      case "PING" -> "+PONG\r\n";
      default -> "-ERR unknown command\r\n";
    };
  }

  /** Each command is an array of strings: of other commands the server says that it has none. */
  private static void answer(ServerSocket server) {
    try (Socket socket = server.accept();
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        OutputStream out = socket.getOutputStream()) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String first = "";
        for (int i = Integer.parseInt(line.substring(1)); i > 0; i--) {
          String length = String.valueOf(in.readLine());
          String word = String.valueOf(in.readLine());
          assertTrue(length.startsWith("$"), length);
          first = first.isEmpty() ? word : first;
        }
        out.write(reply(first).getBytes(StandardCharsets.US_ASCII));
        out.flush();
      }
    } catch (IOException _) {
      // The store has hung up.
    }
  }
}
