package org.ecstore.protocol;

import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.OptionalFields;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * The bytes of the client protocol. The body of a frame is
 *
 * <pre>  1 (1 byte) | number (1 byte) | correlation (varint) | fields | optional fields</pre>
 *
 * <p>{@link RequestTable} and {@link ReplyTable} have the numbers, and the fields of each message,
 * in the order of the record's components; {@link OptionalFields} are what may follow. Decoding
 * trusts nothing: lengths and counts are checked against the message and the published limits
 * before anything is allocated, and whatever is not exactly such a message is a {@link
 * MalformedMessageException}. No state: any thread may call.
 */
public final class ClientCodec {
  /**
   * The first byte of every message: the version of this layout, not of the protocol that the sides
   * have agreed on ({@link ProtocolVersions}).
   */
  public static final int VERSION = 1;

  private ClientCodec() {}

  /** The body of the frame that carries a request. */
  public static Bytes encodeRequest(long correlation, ClientRequest request) {
    return encodeRequest(new CorrelatedRequest(correlation, request));
  }

  /** The same with what it says beside. */
  public static Bytes encodeRequest(CorrelatedRequest correlated) {
    WireWriter out = new WireWriter();
    ClientRequest request = correlated.request();
    MessageTable.Row<ClientRequest> row = RequestTable.ROWS.rowOf(request);
    out.u8(VERSION).u8(row.number()).varint(correlated.correlation());
    row.write(out, request);
    correlated.options().write(out);
    row.writeOptional(out, request);
    return out.toBytes();
  }

  /**
   * The request in the body of a frame.
   *
   * @throws MalformedMessageException if it is not one
   */
  public static CorrelatedRequest decodeRequest(Bytes body) {
    WireReader in = new WireReader(body);
    MessageTable.Row<ClientRequest> row = RequestTable.ROWS.row(number(in));
    long correlation = in.varint();
    ClientRequest request = row.read(in);
    OptionalFields fields = OptionalFields.read(in);
    return new CorrelatedRequest(
        correlation, row.withOptional(request, fields), RequestOptions.of(fields));
  }

  /** The body of the frame that carries a reply. */
  public static Bytes encodeReply(long correlation, ClientReply reply) {
    WireWriter out = new WireWriter();
    writeReply(out, correlation, reply);
    return out.toBytes();
  }

  /** Appends the body of the frame that carries a reply. */
  public static void writeReply(WireWriter out, long correlation, ClientReply reply) {
    MessageTable.Row<ClientReply> row = ReplyTable.ROWS.rowOf(reply);
    out.u8(VERSION).u8(row.number()).varint(correlation);
    row.write(out, reply);
    row.writeOptional(out, reply);
  }

  /**
   * The reply in the body of a frame.
   *
   * @throws MalformedMessageException if it is not one
   */
  public static CorrelatedReply decodeReply(Bytes body) {
    WireReader in = new WireReader(body);
    MessageTable.Row<ClientReply> row = ReplyTable.ROWS.row(number(in));
    long correlation = in.varint();
    ClientReply reply = row.read(in);
    return new CorrelatedReply(correlation, row.withOptional(reply, OptionalFields.read(in)));
  }

  private static int number(WireReader in) {
    int version = in.u8();
    if (version != VERSION) {
      throw new MalformedMessageException("unknown version of the client protocol: " + version);
    }
    return in.u8();
  }
}
