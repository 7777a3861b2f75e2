package org.ecstore.replication.hotspot;

import org.ecstore.core.message.MessageCodec;
import org.ecstore.replication.hotspot.SlaveMessage.LoadNews;
import org.ecstore.replication.hotspot.SlaveMessage.NodeLoad;
import org.ecstore.replication.hotspot.SlaveMessage.SlaveAck;
import org.ecstore.replication.hotspot.SlaveMessage.SlaveDrop;
import org.ecstore.replication.hotspot.SlaveMessage.SlaveGone;
import org.ecstore.replication.hotspot.SlaveMessage.SlaveOffer;
import org.ecstore.replication.hotspot.SlaveMessage.SlaveUpdate;
import org.ecstore.replication.message.ReplicationCodec;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** Format of {@link SlaveMessage}: types 400 to 449. Numbers are fixed for ever. */
public final class SlaveCodec implements MessageCodec<SlaveMessage> {
  private static final int OFFER = 400;
  private static final int UPDATE = 401;
  private static final int ACK = 402;
  private static final int GONE = 403;
  private static final int DROP = 404;
  private static final int LOAD_NEWS = 405;

  @Override
  public Class<SlaveMessage> family() {
    return SlaveMessage.class;
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
  public void write(WireWriter out, SlaveMessage message) {
    switch (message) {
      case SlaveOffer(var slave, var range, var epoch, var keys) ->
          out.varint(OFFER).i64(slave).rangeId(range).epoch(epoch).range(keys);
      case SlaveUpdate(var slave, var previous, var closed, var writes) ->
          out.varint(UPDATE)
              .i64(slave)
              .position(previous)
              .position(closed)
              .list(writes, ReplicationCodec::writeWrite);
      case SlaveAck(var slave, var closed, var reads) ->
          out.varint(ACK).i64(slave).position(closed).i64(reads);
      case SlaveGone(var slave, var reason) -> out.varint(GONE).i64(slave).text(reason);
      case SlaveDrop(var slave) -> out.varint(DROP).i64(slave);
      case LoadNews(var loads) -> out.varint(LOAD_NEWS).list(loads, SlaveCodec::writeLoad);
    }
  }

  @Override
  public SlaveMessage read(int type, WireReader in) {
    return switch (type) {
      case OFFER -> new SlaveOffer(in.i64(), in.rangeId(), in.epoch(), in.range());
      case UPDATE ->
          new SlaveUpdate(
              in.i64(), in.position(), in.position(), in.list(ReplicationCodec::readWrite));
      case ACK -> new SlaveAck(in.i64(), in.position(), in.i64());
      case GONE -> new SlaveGone(in.i64(), in.text());
      case DROP -> new SlaveDrop(in.i64());
      case LOAD_NEWS -> new LoadNews(in.list(SlaveCodec::readLoad));
      default -> throw new MalformedMessageException("unknown slave message: " + type);
    };
  }

  private static void writeLoad(WireWriter out, NodeLoad load) {
    out.node(load.node()).i64(load.incarnation()).i64(load.count()).i64(load.reads());
  }

  private static NodeLoad readLoad(WireReader in) {
    return new NodeLoad(in.node(), in.i64(), in.i64(), in.i64());
  }
}
