package org.ecstore.replication.message;

import org.ecstore.core.map.MapCodec;
import org.ecstore.core.message.MessageCodec;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.protocol.ClientFields;
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
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** Format of {@link ReplicationMessage}: types 100 to 199. Numbers are fixed for ever. */
public final class ReplicationCodec implements MessageCodec<ReplicationMessage> {
  private static final int MAP_REQUEST = 100;
  private static final int MAP_NEWS = 101;
  private static final int COPY_FETCH = 102;
  private static final int COPY_CHUNK = 103;
  private static final int COPY_REFUSED = 104;
  private static final int COPY_DONE = 105;
  private static final int MIDDLE_REQUEST = 106;
  private static final int MIDDLE_REPLY = 107;
  private static final int STREAM_UPDATE = 108;
  private static final int STREAM_ACK = 109;

  @Override
  public Class<ReplicationMessage> family() {
    return ReplicationMessage.class;
  }

  @Override
  public int typeMin() {
    return 100;
  }

  @Override
  public int typeMax() {
    return 199;
  }

  @Override
  public void write(WireWriter out, ReplicationMessage message) {
    switch (message) {
      case MapRequest(var have) -> out.varint(MAP_REQUEST).mapVersion(have);
      case MapNews(var changes, var whole) ->
          out.varint(MAP_NEWS)
              .list(changes, MapCodec::writeChange)
              .optional(whole, MapCodec::writeMap);
      case CopyFetch(var call, var transfer, var range, var epoch, var rest, var stamp) ->
          out.varint(COPY_FETCH)
              .i64(call)
              .i64(transfer)
              .rangeId(range)
              .epoch(epoch)
              .range(rest)
              .optional(stamp, WireWriter::position);
      case CopyChunk(var call, var stamp, var rows, var complete) ->
          out.varint(COPY_CHUNK)
              .i64(call)
              .position(stamp)
              .list(rows, ClientFields::writeRow)
              .bool(complete);
      case CopyRefused(var call, var detail) -> out.varint(COPY_REFUSED).i64(call).text(detail);
      case CopyDone(var transfer) -> out.varint(COPY_DONE).i64(transfer);
      case MiddleRequest(var call, var range, var epoch, var byLoad) ->
          out.varint(MIDDLE_REQUEST).i64(call).rangeId(range).epoch(epoch).bool(byLoad);
      case MiddleReply(var call, var key) ->
          out.varint(MIDDLE_REPLY).i64(call).optional(key, WireWriter::bytes);
      case StreamUpdate(var range, var epoch, var previous, var closed, var writes) ->
          out.varint(STREAM_UPDATE)
              .rangeId(range)
              .epoch(epoch)
              .position(previous)
              .position(closed)
              .list(writes, ReplicationCodec::writeWrite);
      case StreamAck(var range, var epoch, var closed) ->
          out.varint(STREAM_ACK).rangeId(range).epoch(epoch).position(closed);
    }
  }

  @Override
  public ReplicationMessage read(int type, WireReader in) {
    return switch (type) {
      case MAP_REQUEST -> new MapRequest(in.mapVersion());
      case MAP_NEWS -> new MapNews(in.list(MapCodec::readChange), in.optional(MapCodec::readMap));
      case COPY_FETCH ->
          new CopyFetch(
              in.i64(),
              in.i64(),
              in.rangeId(),
              in.epoch(),
              in.range(),
              in.optional(WireReader::position));
      case COPY_CHUNK ->
          new CopyChunk(in.i64(), in.position(), in.list(ClientFields::readRow), in.bool());
      case COPY_REFUSED -> new CopyRefused(in.i64(), in.text());
      case COPY_DONE -> new CopyDone(in.i64());
      case MIDDLE_REQUEST -> new MiddleRequest(in.i64(), in.rangeId(), in.epoch(), in.bool());
      case MIDDLE_REPLY -> new MiddleReply(in.i64(), in.optional(WireReader::bytes));
      case STREAM_UPDATE ->
          new StreamUpdate(
              in.rangeId(),
              in.epoch(),
              in.position(),
              in.position(),
              in.list(ReplicationCodec::readWrite));
      case STREAM_ACK -> new StreamAck(in.rangeId(), in.epoch(), in.position());
      default -> throw new MalformedMessageException("unknown replication message: " + type);
    };
  }

  /** One write. */
  public static void writeWrite(WireWriter out, VersionedWrite write) {
    out.bytes(write.key()).position(write.version()).optional(write.value(), WireWriter::bytes);
  }

  /** One write. */
  public static VersionedWrite readWrite(WireReader in) {
    return new VersionedWrite(in.bytes(), in.position(), in.optional(WireReader::bytes));
  }
}
