package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import org.ecstore.wire.MalformedMessageException;
import org.junit.jupiter.api.Test;

/** Operators read why a connection was cut; a name of a class says nothing to them. */
class CutReasonTest {
  @Test
  void whatTheOtherSideDidIsSaidInWords() {
    FrameDecoder.FrameTooLargeException tooLarge =
        new FrameDecoder.FrameTooLargeException(5_000, 4_096);
    for (Throwable thrown : new Throwable[] {tooLarge, new DecoderException(tooLarge)}) {
      assertEquals(
          "a frame of 5000 bytes, where at most 4096 are allowed", CutReason.words(thrown));
    }
    assertEquals(
        "a frame of 0 bytes",
        CutReason.words(new DecoderException(new MalformedMessageException("a frame of 0 bytes"))));
    assertEquals(
        "Connection reset by peer", CutReason.words(new IOException("Connection reset by peer")));
  }

  @Test
  void whatWasNotExpectedKeepsItsClass() {
    assertEquals(
        "java.lang.IllegalStateException: a bug",
        CutReason.words(new DecoderException(new IllegalStateException("a bug"))));
    assertEquals("java.io.IOException", CutReason.words(new IOException()));
  }
}
