package org.ecstore.core.message;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ecstore.check.Check;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * The bytes of envelopes, with the message families of all strata:
 *
 * <pre>  version (1 byte) | from | from's incarnation | to | D | M | type (varint) | fields</pre>
 *
 * <p>Built once by whoever wires a node. Immutable: any thread may call.
 */
public final class EnvelopeCodec {
  /** The first byte of every envelope. */
  public static final int VERSION = 1;

  private final List<MessageCodec<?>> families;
  private final TreeMap<Integer, MessageCodec<?>> byTypeMin = new TreeMap<>();

  /**
   * A codec of these families.
   *
   * @throws IllegalArgumentException if the type numbers of two overlap
   */
  public EnvelopeCodec(List<? extends MessageCodec<?>> families) {
    this.families = List.copyOf(families);
    for (MessageCodec<?> family : families) {
      add(family);
    }
  }

  private void add(MessageCodec<?> family) {
    if (family.typeMin() < 0 || family.typeMax() < family.typeMin()) {
      throw new IllegalArgumentException("no type numbers for " + nameOf(family));
    }
    Map.Entry<Integer, MessageCodec<?>> below = byTypeMin.floorEntry(family.typeMax());
    if (below != null && below.getValue().typeMax() >= family.typeMin()) {
      throw new IllegalArgumentException(
          "type numbers overlap: " + nameOf(family) + " and " + nameOf(below.getValue()));
    }
    byTypeMin.put(family.typeMin(), family);
  }

  private static String nameOf(MessageCodec<?> family) {
    return family.family().getSimpleName()
        + " ("
        + family.typeMin()
        + " to "
        + family.typeMax()
        + ")";
  }

  /** The body of the frame that carries an envelope. Its message must be of one of the families. */
  public Bytes encode(Envelope envelope) {
    for (MessageCodec<?> family : families) {
      if (family.family().isInstance(envelope.body())) {
        WireWriter out = new WireWriter();
        out.u8(VERSION).node(envelope.from()).varint(envelope.fromIncarnation());
        out.node(envelope.to()).point(envelope.point());
        int typeAt = out.length();
        writeBody(family, out, envelope.body());
        Bytes body = out.toBytes();
        long type = new WireReader(body.array(), typeAt, body.length()).varint();
        Check.that(
            family.typeMin() <= type && type <= family.typeMax(),
            "a family writes type numbers of its own",
            nameOf(family),
            type);
        return body;
      }
    }
    throw new IllegalArgumentException("no codec for " + envelope.body());
  }

  private static <M extends NodeMessage> void writeBody(
      MessageCodec<M> family, WireWriter out, NodeMessage body) {
    family.write(out, family.family().cast(body));
  }

  /**
   * The envelope in the body of a frame.
   *
   * @throws MalformedMessageException if it is not one, or of a type no family has
   */
  public Envelope decode(Bytes body) {
    WireReader in = new WireReader(body);
    int version = in.u8();
    if (version != VERSION) {
      throw new MalformedMessageException("unknown version of an envelope: " + version);
    }
    var from = in.node();
    long fromIncarnation = in.varint();
    var to = in.node();
    var point = in.point();
    NodeMessage message = readBody(in);
    in.expectEnd();
    return new Envelope(from, fromIncarnation, to, point, message);
  }

  private NodeMessage readBody(WireReader in) {
    long type = in.varint();
    if (type >= 0 && type <= Integer.MAX_VALUE) {
      Map.Entry<Integer, MessageCodec<?>> below = byTypeMin.floorEntry((int) type);
      if (below != null && type <= below.getValue().typeMax()) {
        return below.getValue().read((int) type, in);
      }
    }
    throw new MalformedMessageException("unknown type of message: " + type);
  }
}
