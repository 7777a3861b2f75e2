package org.ecstore.bookstore.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.Base64;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SignatureTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);

  @Test
  void whoSignedInIsKnownUntilThen() {
    Signature signature = Signature.by(KEY);
    String sealed = signature.sealed(42, NOW.plusSeconds(10));
    assertEquals(OptionalLong.of(42), signature.opened(sealed, NOW));
    assertEquals(OptionalLong.of(42), Signature.by(KEY).opened(sealed, NOW));
    assertEquals(OptionalLong.empty(), signature.opened(sealed, NOW.plusSeconds(10)));
  }

  @Test
  void aForgedOneIsRefused() {
    Signature signature = Signature.by(null);
    String sealed = signature.sealed(42, NOW.plusSeconds(10));
    assertEquals(OptionalLong.empty(), Signature.by(null).opened(sealed, NOW));
    for (String forged :
        new String[] {
          "",
          "..",
          "1.2.3.4",
          sealed.replaceFirst("42", "43"),
          sealed.substring(0, sealed.length() - 2),
          "42." + Long.MAX_VALUE + "." + sealed.split("\\.", -1)[2],
          "x.y.%%%"
        }) {
      assertEquals(OptionalLong.empty(), signature.opened(forged, NOW), forged);
    }
  }

  @Test
  void aShortKeyIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Signature.by(Base64.getEncoder().encodeToString(new byte[16])));
  }
}
