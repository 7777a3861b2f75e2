package org.ecstore.replication.quorum;

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
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The table of {@link QuorumMessage}: numbers 300 to 349. */
public final class QuorumTable {
  public static final MessageTable<QuorumMessage> ROWS =
      MessageTable.of(QuorumMessage.class, "quorum message", 300, 349)
          .since(1)
          .row(
              300,
              Probe.class,
              (out, probe) ->
                  out.i64(probe.call())
                      .rangeId(probe.range())
                      .epoch(probe.epoch())
                      .bytes(probe.key())
                      .bool(probe.whole()),
              in -> new Probe(in.i64(), in.rangeId(), in.epoch(), in.bytes(), in.bool()))
          .answeredBy(Probed.class, NotCounted.class)
          .row(301, Probed.class, QuorumTable::writeProbed, QuorumTable::readProbed)
          .row(
              302,
              NotCounted.class,
              (out, not) -> out.i64(not.call()).text(not.detail()),
              in -> new NotCounted(in.i64(), in.text()))
          .row(
              303,
              Reach.class,
              (out, reach) ->
                  out.i64(reach.call())
                      .rangeId(reach.range())
                      .epoch(reach.epoch())
                      .position(reach.position()),
              in -> new Reach(in.i64(), in.rangeId(), in.epoch(), in.position()))
          .answeredBy(Reached.class, NotCounted.class)
          .row(
              304,
              Reached.class,
              (out, reached) -> out.i64(reached.call()).position(reached.closed()),
              in -> new Reached(in.i64(), in.position()))
          .row(
              305,
              Confirm.class,
              (out, confirm) ->
                  out.i64(confirm.call()).rangeId(confirm.range()).epoch(confirm.epoch()),
              in -> new Confirm(in.i64(), in.rangeId(), in.epoch()))
          .answeredBy(Confirmed.class, NotCounted.class)
          .row(
              306,
              Confirmed.class,
              (out, confirmed) -> out.i64(confirmed.call()).position(confirmed.through()),
              in -> new Confirmed(in.i64(), in.position()))
          .row(307, Await.class, QuorumTable::writeAwait, QuorumTable::readAwait)
          .answeredBy(Awaited.class, NotCounted.class)
          .row(
              308,
              Awaited.class,
              (out, awaited) -> out.i64(awaited.call()).varint(awaited.copies()),
              in -> new Awaited(in.i64(), natural(in)))
          .build();

  private QuorumTable() {}

  private static void writeProbed(WireWriter out, Probed probed) {
    writeAnswer(out.i64(probed.call()), probed.answer());
    out.list(probed.others(), (to, held) -> to.node(held.node()).position(held.closed()));
  }

  private static Probed readProbed(WireReader in) {
    return new Probed(
        in.i64(), readAnswer(in), in.list(from -> new Held(from.node(), from.position())));
  }

  private static void writeAwait(WireWriter out, Await await) {
    out.i64(await.call()).rangeId(await.range()).epoch(await.epoch());
    out.varint(await.w()).position(await.number()).varint(await.waitNanos());
  }

  private static Await readAwait(WireReader in) {
    return new Await(in.i64(), in.rangeId(), in.epoch(), natural(in), in.position(), in.varint());
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
