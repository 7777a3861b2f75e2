package org.ecstore.protocol;

import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * The bytes of the client protocol. The body of a frame is
 *
 * <pre>  version (1 byte) | type (1 byte) | correlation (varint) | fields</pre>
 *
 * <p>Type numbers are fixed for ever; a number is never used for anything else:
 *
 * <pre>
 *   request              reply
 *    1 Hello             65 Welcome          75 Refused
 *    2 Locate            66 Located          76 StatusReport
 *    3 Begin             67 Begun
 *    4 BeginAt           68 Values
 *    5 RenewSnapshot     69 Scanned
 *    6 EndSnapshot       70 Committed
 *    7 Get               71 Aborted
 *    8 Scan              72 OutcomeUnknown
 *    9 Commit            73 OutcomeExpired
 *   10 AskOutcome        74 WrongRange
 *   11 Status            77 Inspected
 *   12 Inspect           78 Explained
 *   13 Explain             79 Behind
 *   17 BeginWith           83 BegunWith
 *   18 AskChallenge        84 Challenge
 *   20 QuorumGet           81 Redirect
 *   21 QuorumWait          90 QuorumValue
 *                          91 QuorumReached
 * </pre>
 *
 * <p>Fields are in the order of the record's components, as {@link ClientFields} and {@link
 * WireWriter} write them. Decoding trusts nothing: lengths and counts are checked against the
 * message and the published limits before anything is allocated, and whatever is not exactly such a
 * message is a {@link MalformedMessageException}. No state: any thread may call.
 */
public final class ClientCodec {
  /** The first byte of every message. */
  public static final int VERSION = 1;

  private ClientCodec() {}

  /** The body of the frame that carries a request. */
  public static Bytes encodeRequest(long correlation, ClientRequest request) {
    WireWriter out = new WireWriter();
    out.u8(VERSION).u8(RequestCodec.typeOf(request)).varint(correlation);
    RequestCodec.write(out, request);
    return out.toBytes();
  }

  /**
   * The request in the body of a frame.
   *
   * @throws MalformedMessageException if it is not one
   */
  public static CorrelatedRequest decodeRequest(Bytes body) {
    WireReader in = new WireReader(body);
    int type = type(in);
    long correlation = in.varint();
    ClientRequest request = RequestCodec.read(type, in);
    in.expectEnd();
    return new CorrelatedRequest(correlation, request);
  }

  /** The body of the frame that carries a reply. */
  public static Bytes encodeReply(long correlation, ClientReply reply) {
    WireWriter out = new WireWriter();
    writeReply(out, correlation, reply);
    return out.toBytes();
  }

  /** Appends the body of the frame that carries a reply. */
  public static void writeReply(WireWriter out, long correlation, ClientReply reply) {
    out.u8(VERSION).u8(ReplyCodec.typeOf(reply)).varint(correlation);
    ReplyCodec.write(out, reply);
  }

  /**
   * The reply in the body of a frame.
   *
   * @throws MalformedMessageException if it is not one
   */
  public static CorrelatedReply decodeReply(Bytes body) {
    WireReader in = new WireReader(body);
    int type = type(in);
    long correlation = in.varint();
    ClientReply reply = ReplyCodec.read(type, in);
    in.expectEnd();
    return new CorrelatedReply(correlation, reply);
  }

  private static int type(WireReader in) {
    int version = in.u8();
    if (version != VERSION) {
      throw new MalformedMessageException("unknown version of the client protocol: " + version);
    }
    return in.u8();
  }
}
