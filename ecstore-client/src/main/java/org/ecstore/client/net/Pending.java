package org.ecstore.client.net;

import java.util.concurrent.CompletableFuture;
import org.ecstore.client.spi.CallFailedException;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientReply;

/** A call that has no reply yet. Its flags belong to the connection's event loop. */
final class Pending {
  final long correlation;
  final Bytes body;
  final CompletableFuture<ClientReply> future = new CompletableFuture<>();

  /** When the caller gives up, by {@link System#nanoTime}. */
  long dueNanos;

  /** Whether any of its bytes may have left this process. */
  boolean written;

  /** Whether it asks what became of a commit: that goes before what is only begun. */
  final boolean isQuestion;

  Pending(long correlation, Bytes body, boolean isQuestion) {
    this.correlation = correlation;
    this.body = body;
    this.isQuestion = isQuestion;
  }

  /** The connection will not get a reply any more. */
  void fail(CallFailedException.Kind ifWritten, CallFailedException.Kind ifNot, String detail) {
    future.completeExceptionally(new CallFailedException(written ? ifWritten : ifNot, detail));
  }
}
