package org.ecstore.replication.quorum;

import org.ecstore.core.message.MessageCodec;
import org.ecstore.replication.quorum.QuorumMessage.Await;
import org.ecstore.replication.quorum.QuorumMessage.Awaited;
import org.ecstore.replication.quorum.QuorumMessage.Confirm;
import org.ecstore.replication.quorum.QuorumMessage.Confirmed;
import org.ecstore.replication.quorum.QuorumMessage.Held;
import org.ecstore.replication.quorum.QuorumMessage.NotCounted;
import org.ecstore.replication.quorum.QuorumMessage.Probe;
import org.ecstore.replication.quorum.QuorumMessage.Probed;
import org.ecstore.replication.quorum.QuorumMessage.Reach;
import org.ecstore.replication.quorum.QuorumMessage.Reached;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** Format of {@link QuorumMessage}: types 300 to 349. Numbers are fixed for ever. */
public final class QuorumCodec implements MessageCodec<QuorumMessage> {
  private static final int PROBE = 300;
  private static final int PROBED = 301;
  private static final int NOT_COUNTED = 302;
  private static final int REACH = 303;
  private static final int REACHED = 304;
  private static final int CONFIRM = 305;
  private static final int CONFIRMED = 306;
  private static final int AWAIT = 307;
  private static final int AWAITED = 308;

  @Override
  public Class<QuorumMessage> family() {
    return QuorumMessage.class;
  }

  @Override
  public int typeMin() {
    return 300;
  }

  @Override
  public int typeMax() {
    return 349;
  }

  @Override
  public void write(WireWriter out, QuorumMessage message) {
    switch (message) {
      case Probe(var call, var range, var epoch, var key, var whole) ->
          out.varint(PROBE).i64(call).rangeId(range).epoch(epoch).bytes(key).bool(whole);
      case Probed(var call, var answer, var others) -> {
        out.varint(PROBED).i64(call);
        writeAnswer(out, answer);
        out.list(others, (to, held) -> to.node(held.node()).position(held.closed()));
      }
      case NotCounted(var call, var detail) -> out.varint(NOT_COUNTED).i64(call).text(detail);
      case Reach(var call, var range, var epoch, var position) ->
          out.varint(REACH).i64(call).rangeId(range).epoch(epoch).position(position);
      case Reached(var call, var closed) -> out.varint(REACHED).i64(call).position(closed);
      case Confirm(var call, var range, var epoch) ->
          out.varint(CONFIRM).i64(call).rangeId(range).epoch(epoch);
      case Confirmed(var call, var through) -> out.varint(CONFIRMED).i64(call).position(through);
      case Await(var call, var range, var epoch, var w, var number, var waitNanos) ->
          out.varint(AWAIT)
              .i64(call)
              .rangeId(range)
              .epoch(epoch)
              .varint(w)
              .position(number)
              .varint(waitNanos);
      case Awaited(var call, var copies) -> out.varint(AWAITED).i64(call).varint(copies);
    }
  }

  @Override
  public QuorumMessage read(int type, WireReader in) {
    return switch (type) {
      case PROBE -> new Probe(in.i64(), in.rangeId(), in.epoch(), in.bytes(), in.bool());
      case PROBED ->
          new Probed(
              in.i64(), readAnswer(in), in.list(from -> new Held(from.node(), from.position())));
      case NOT_COUNTED -> new NotCounted(in.i64(), in.text());
      case REACH -> new Reach(in.i64(), in.rangeId(), in.epoch(), in.position());
      case REACHED -> new Reached(in.i64(), in.position());
      case CONFIRM -> new Confirm(in.i64(), in.rangeId(), in.epoch());
      case CONFIRMED -> new Confirmed(in.i64(), in.position());
      case AWAIT ->
          new Await(in.i64(), in.rangeId(), in.epoch(), natural(in), in.position(), in.varint());
      case AWAITED -> new Awaited(in.i64(), natural(in));
      default -> throw new MalformedMessageException("unknown quorum message: " + type);
    };
  }

  private static int natural(WireReader in) {
    long value = in.varint();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new MalformedMessageException("no count: " + value);
    }
    return (int) value;
  }

  private static void writeAnswer(WireWriter out, CopyAnswer answer) {
    out.position(answer.closed()).position(answer.base()).position(answer.changed());
    out.optional(answer.version(), WireWriter::position).i64(answer.digest());
    out.optional(answer.value(), WireWriter::bytes);
  }

  private static CopyAnswer readAnswer(WireReader in) {
    return new CopyAnswer(
        in.position(),
        in.position(),
        in.position(),
        in.optional(WireReader::position),
        in.i64(),
        in.optional(WireReader::bytes));
  }
}
