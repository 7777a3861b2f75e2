package org.ecstore.server.net;

import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import org.ecstore.wire.MalformedMessageException;

/** Why a connection that has failed is cut, in words for the log. */
final class CutReason {
  private CutReason() {}

  /** What really went wrong: decoders wrap it. */
  static Throwable of(Throwable failure) {
    return failure instanceof DecoderException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** What the other side did is said in words of its own; what was not expected, with its class. */
  static String words(Throwable failure) {
    Throwable found = of(failure);
    boolean isOfTheOther =
        found instanceof MalformedMessageException
            || found instanceof FrameDecoder.FrameTooLargeException
            || found instanceof IOException;
    String message = found.getMessage();
    return isOfTheOther && message != null ? message : String.valueOf(found);
  }
}
