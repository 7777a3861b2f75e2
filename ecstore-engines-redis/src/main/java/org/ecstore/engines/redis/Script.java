package org.ecstore.engines.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** What the server does in one step, as Lua, by its hash. */
enum Script {
  OWN(false),
  GET(true),
  SCAN(true),
  METADATA(true),
  SIZE(true),
  WRITE(true),
  CLEAR(true);

  private final String text;
  private final String digest;

  Script(boolean isFenced) {
    String name = name().toLowerCase(Locale.ROOT) + ".lua";
    text = (isFenced ? resource("fence.lua") : "") + resource(name);
    try {
      digest =
          HexFormat.of()
              .formatHex(
                  MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }

  private static String resource(String name) {
    try (InputStream in = Script.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("there is no " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text() {
    return text;
  }

  String digest() {
    return digest;
  }
}
