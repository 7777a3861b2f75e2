package org.ecstore.tools.attack.attacker;

import java.io.ByteArrayOutputStream;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.wire.Preamble;
import org.ecstore.wire.WireWriter;

/** Frames that are sent at once, without a look at the answers. */
final class Burst {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int frames;

  /** What a client begins with. */
  static Burst ofClient() {
    Burst burst = new Burst().raw(Preamble.CLIENT);
    ClientRequest hello = new ClientRequest.Hello(ProtocolVersions.SPOKEN, "attack");
    return burst.body(ClientCodec.encodeRequest(0, hello));
  }

  /** Bytes as they are. */
  Burst raw(Bytes some) {
    bytes.writeBytes(some.array());
    return this;
  }

  /** A frame with this body. */
  Burst frame(Bytes body) {
    frames++;
    return body(body);
  }

  /** A frame that is not counted as one of the attack. */
  Burst body(Bytes body) {
    return raw(new WireWriter().i32(body.length()).raw(body.array()).toBytes());
  }

  int frames() {
    return frames;
  }

  Bytes toBytes() {
    return Bytes.wrap(bytes.toByteArray());
  }
}
