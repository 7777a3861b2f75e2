package org.ecstore.replication.message;

import org.ecstore.core.map.MapCodec;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.protocol.ClientFields;
import org.ecstore.protocol.WriteKind;
import org.ecstore.replication.message.ReplicationMessage.CopyChunk;
import org.ecstore.replication.message.ReplicationMessage.CopyDone;
import org.ecstore.replication.message.ReplicationMessage.CopyFetch;
import org.ecstore.replication.message.ReplicationMessage.CopyRefused;
import org.ecstore.replication.message.ReplicationMessage.MapNews;
import org.ecstore.replication.message.ReplicationMessage.MapRequest;
import org.ecstore.replication.message.ReplicationMessage.MiddleReply;
import org.ecstore.replication.message.ReplicationMessage.MiddleRequest;
import org.ecstore.replication.message.ReplicationMessage.StreamAck;
import org.ecstore.replication.message.ReplicationMessage.StreamUpdate;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The table of {@link ReplicationMessage}: numbers 100 to 199. */
public final class ReplicationTable {
  public static final MessageTable<ReplicationMessage> ROWS =
      MessageTable.of(ReplicationMessage.class, "replication message", 100, 199)
          .since(1)
          .row(
              100,
              MapRequest.class,
              (out, request) -> out.mapVersion(request.have()),
              in -> new MapRequest(in.mapVersion()))
          .answeredBy(MapNews.class)
          .row(
              101,
              MapNews.class,
              (out, news) ->
                  out.list(news.changes(), MapCodec::writeChange)
                      .optional(news.whole(), MapCodec::writeMap),
              in -> new MapNews(in.list(MapCodec::readChange), in.optional(MapCodec::readMap)))
          .row(102, CopyFetch.class, ReplicationTable::writeFetch, ReplicationTable::readFetch)
          .answeredBy(CopyChunk.class, CopyRefused.class)
          .row(
              103,
              CopyChunk.class,
              (out, chunk) ->
                  out.i64(chunk.call())
                      .position(chunk.stamp())
                      .list(chunk.rows(), ClientFields::writeRow)
                      .bool(chunk.complete()),
              in ->
                  new CopyChunk(in.i64(), in.position(), in.list(ClientFields::readRow), in.bool()))
          .row(
              104,
              CopyRefused.class,
              (out, refused) -> out.i64(refused.call()).text(refused.detail()),
              in -> new CopyRefused(in.i64(), in.text()))
          .row(
              105,
              CopyDone.class,
              (out, done) -> out.i64(done.transfer()),
              in -> new CopyDone(in.i64()))
          .row(
              106,
              MiddleRequest.class,
              (out, request) ->
                  out.i64(request.call())
                      .rangeId(request.range())
                      .epoch(request.epoch())
                      .bool(request.byLoad()),
              in -> new MiddleRequest(in.i64(), in.rangeId(), in.epoch(), in.bool()))
          .answeredBy(MiddleReply.class)
          .row(
              107,
              MiddleReply.class,
              (out, reply) -> out.i64(reply.call()).optional(reply.key(), WireWriter::bytes),
              in -> new MiddleReply(in.i64(), in.optional(WireReader::bytes)))
          .row(108, StreamUpdate.class, ReplicationTable::writeUpdate, ReplicationTable::readUpdate)
          .answeredBy(StreamAck.class)
          .row(
              109,
              StreamAck.class,
              (out, ack) -> out.rangeId(ack.range()).epoch(ack.epoch()).position(ack.closed()),
              in -> new StreamAck(in.rangeId(), in.epoch(), in.position()))
          .build();

  private ReplicationTable() {}

  private static void writeFetch(WireWriter out, CopyFetch fetch) {
    out.i64(fetch.call()).i64(fetch.transfer()).rangeId(fetch.range()).epoch(fetch.epoch());
    out.range(fetch.rest()).optional(fetch.stamp(), WireWriter::position);
  }

  private static CopyFetch readFetch(WireReader in) {
    return new CopyFetch(
        in.i64(),
        in.i64(),
        in.rangeId(),
        in.epoch(),
        in.range(),
        in.optional(WireReader::position));
  }

  private static void writeUpdate(WireWriter out, StreamUpdate update) {
    out.rangeId(update.range()).epoch(update.epoch());
    out.position(update.previous()).position(update.closed());
    out.list(update.writes(), ReplicationTable::writeWrite);
  }

  private static StreamUpdate readUpdate(WireReader in) {
    return new StreamUpdate(
        in.rangeId(),
        in.epoch(),
        in.position(),
        in.position(),
        in.list(ReplicationTable::readWrite));
  }

  /** One write. */
  public static void writeWrite(WireWriter out, VersionedWrite write) {
    WriteKind.write(out.bytes(write.key()).position(write.version()), write.mutation());
  }

  /** One write. */
  public static VersionedWrite readWrite(WireReader in) {
    return new VersionedWrite(in.bytes(), in.position(), WriteKind.read(in));
  }
}
