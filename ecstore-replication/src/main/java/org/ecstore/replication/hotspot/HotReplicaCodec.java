package org.ecstore.replication.hotspot;

import org.ecstore.core.message.MessageCodec;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaAck;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaDrop;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaGone;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaOffer;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaUpdate;
import org.ecstore.replication.hotspot.HotReplicaMessage.LoadNews;
import org.ecstore.replication.hotspot.HotReplicaMessage.NodeLoad;
import org.ecstore.replication.message.ReplicationCodec;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** Format of {@link HotReplicaMessage}: types 400 to 449. Numbers are fixed for ever. */
public final class HotReplicaCodec implements MessageCodec<HotReplicaMessage> {
  private static final int OFFER = 400;
  private static final int UPDATE = 401;
  private static final int ACK = 402;
  private static final int GONE = 403;
  private static final int DROP = 404;
  private static final int LOAD_NEWS = 405;

  @Override
  public Class<HotReplicaMessage> family() {
    return HotReplicaMessage.class;
  }

  @Override
  public int typeMin() {
    return 400;
  }

  @Override
  public int typeMax() {
    return 449;
  }

  @Override
  public void write(WireWriter out, HotReplicaMessage message) {
    switch (message) {
      case HotReplicaOffer(var hotReplica, var range, var epoch, var keys) ->
          out.varint(OFFER).i64(hotReplica).rangeId(range).epoch(epoch).range(keys);
      case HotReplicaUpdate(var hotReplica, var previous, var closed, var writes) ->
          out.varint(UPDATE)
              .i64(hotReplica)
              .position(previous)
              .position(closed)
              .list(writes, ReplicationCodec::writeWrite);
      case HotReplicaAck(var hotReplica, var closed, var reads) ->
          out.varint(ACK).i64(hotReplica).position(closed).i64(reads);
      case HotReplicaGone(var hotReplica, var reason) ->
          out.varint(GONE).i64(hotReplica).text(reason);
      case HotReplicaDrop(var hotReplica) -> out.varint(DROP).i64(hotReplica);
      case LoadNews(var loads) -> out.varint(LOAD_NEWS).list(loads, HotReplicaCodec::writeLoad);
    }
  }

  @Override
  public HotReplicaMessage read(int type, WireReader in) {
    return switch (type) {
      case OFFER -> new HotReplicaOffer(in.i64(), in.rangeId(), in.epoch(), in.range());
      case UPDATE ->
          new HotReplicaUpdate(
              in.i64(), in.position(), in.position(), in.list(ReplicationCodec::readWrite));
      case ACK -> new HotReplicaAck(in.i64(), in.position(), in.i64());
      case GONE -> new HotReplicaGone(in.i64(), in.text());
      case DROP -> new HotReplicaDrop(in.i64());
      case LOAD_NEWS -> new LoadNews(in.list(HotReplicaCodec::readLoad));
      default -> throw new MalformedMessageException("unknown hot-spot replica message: " + type);
    };
  }

  private static void writeLoad(WireWriter out, NodeLoad load) {
    out.node(load.node()).i64(load.incarnation()).i64(load.count()).i64(load.reads());
  }

  private static NodeLoad readLoad(WireReader in) {
    return new NodeLoad(in.node(), in.i64(), in.i64(), in.i64());
  }
}
