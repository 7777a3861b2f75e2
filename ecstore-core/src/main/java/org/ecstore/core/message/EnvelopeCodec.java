package org.ecstore.core.message;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.OptionalFields;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of envelopes, with the tables of messages of all strata:
 *
 * <pre>
 *   1 (1 byte) | from | from's incarnation | to | D | M | number (varint) | fields | optional fields
 * </pre>
 *
 * <p>Optional fields of a newer node are passed by. Built once by the code that wires a node.
 * Immutable: any thread may call.
 */
public final class EnvelopeCodec {
  /** The first byte of every envelope. */
  public static final int VERSION = 1;

  private final Map<Class<?>, MessageTable.Row<NodeMessage>> byType = new HashMap<>();
  private final List<MessageTable.@Nullable Row<NodeMessage>> byNumber = new ArrayList<>();

  /**
   * A codec of these families.
   *
   * @throws IllegalArgumentException if the numbers of two overlap
   */
  public EnvelopeCodec(List<? extends MessageTable<? extends NodeMessage>> families) {
    TreeMap<Integer, MessageTable<?>> byNumberMin = new TreeMap<>();
    for (MessageTable<? extends NodeMessage> family : families) {
      Map.Entry<Integer, MessageTable<?>> below = byNumberMin.floorEntry(family.numberMax());
      if (below != null && below.getValue().numberMax() >= family.numberMin()) {
        throw new IllegalArgumentException(
            "numbers overlap: " + nameOf(family) + " and " + nameOf(below.getValue()));
      }
      byNumberMin.put(family.numberMin(), family);
      add(family);
    }
  }

  private static String nameOf(MessageTable<?> family) {
    return "%s (%d to %d)"
        .formatted(family.family().getSimpleName(), family.numberMin(), family.numberMax());
  }

  private void add(MessageTable<? extends NodeMessage> family) {
    while (byNumber.size() <= family.numberMax()) {
      byNumber.add(null);
    }
    for (MessageTable.Row<? extends NodeMessage> row : family.rows()) {
      MessageTable.Row<NodeMessage> taken = widened(row);
      byType.put(row.type(), taken);
      byNumber.set(row.number(), taken);
    }
  }

  /** A row is found by the class of the message it is given. */
  @SuppressWarnings("unchecked")
  private static MessageTable.Row<NodeMessage> widened(
      MessageTable.Row<? extends NodeMessage> row) {
    return (MessageTable.Row<NodeMessage>) row;
  }

  /** The body of the frame that carries an envelope. Its message must be of one of the families. */
  public Bytes encode(Envelope envelope) {
    NodeMessage body = envelope.body();
    MessageTable.Row<NodeMessage> row = byType.get(body.getClass());
    if (row == null) {
      throw new IllegalArgumentException("in no table of messages: " + body);
    }
    WireWriter out = new WireWriter();
    out.u8(VERSION).node(envelope.from()).varint(envelope.fromIncarnation());
    out.node(envelope.to()).point(envelope.point()).varint(row.number());
    row.write(out, body);
    row.writeOptional(out, body);
    return out.toBytes();
  }

  /**
   * The envelope in the body of a frame.
   *
   * @throws MalformedMessageException if it is not one, or of a number that no family has
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
    MessageTable.Row<NodeMessage> row = rowOf(in.varint());
    NodeMessage message = row.read(in);
    return new Envelope(
        from, fromIncarnation, to, point, row.withOptional(message, OptionalFields.read(in)));
  }

  private MessageTable.Row<NodeMessage> rowOf(long number) {
    if (number >= 0 && number < byNumber.size()) {
      MessageTable.Row<NodeMessage> row = byNumber.get((int) number);
      if (row != null) {
        return row;
      }
    }
    throw new MalformedMessageException("unknown type of message: " + number);
  }
}
