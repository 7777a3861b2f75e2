package org.ecstore.replication.hotspot;

import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaAck;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaDrop;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaGone;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaOffer;
import org.ecstore.replication.hotspot.HotReplicaMessage.HotReplicaUpdate;
import org.ecstore.replication.hotspot.HotReplicaMessage.LoadNews;
import org.ecstore.replication.hotspot.HotReplicaMessage.NodeLoad;
import org.ecstore.replication.message.ReplicationTable;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The table of {@link HotReplicaMessage}: numbers 400 to 449. */
public final class HotReplicaTable {
  public static final MessageTable<HotReplicaMessage> ROWS =
      MessageTable.of(HotReplicaMessage.class, "hot-spot replica message", 400, 449)
          .since(1)
          .row(
              400,
              HotReplicaOffer.class,
              (out, offer) ->
                  out.i64(offer.hotReplica())
                      .rangeId(offer.range())
                      .epoch(offer.epoch())
                      .range(offer.keys()),
              in -> new HotReplicaOffer(in.i64(), in.rangeId(), in.epoch(), in.range()))
          .answeredBy(HotReplicaAck.class, HotReplicaGone.class)
          .row(
              401,
              HotReplicaUpdate.class,
              (out, update) ->
                  out.i64(update.hotReplica())
                      .position(update.previous())
                      .position(update.closed())
                      .list(update.writes(), ReplicationTable::writeWrite),
              in ->
                  new HotReplicaUpdate(
                      in.i64(), in.position(), in.position(), in.list(ReplicationTable::readWrite)))
          .answeredBy(HotReplicaAck.class, HotReplicaGone.class)
          .row(
              402,
              HotReplicaAck.class,
              (out, ack) -> out.i64(ack.hotReplica()).position(ack.closed()).i64(ack.reads()),
              in -> new HotReplicaAck(in.i64(), in.position(), in.i64()))
          .row(
              403,
              HotReplicaGone.class,
              (out, gone) -> out.i64(gone.hotReplica()).text(gone.reason()),
              in -> new HotReplicaGone(in.i64(), in.text()))
          .row(
              404,
              HotReplicaDrop.class,
              (out, drop) -> out.i64(drop.hotReplica()),
              in -> new HotReplicaDrop(in.i64()))
          .row(
              405,
              LoadNews.class,
              (out, news) -> out.list(news.loads(), HotReplicaTable::writeLoad),
              in -> new LoadNews(in.list(HotReplicaTable::readLoad)))
          .build();

  private HotReplicaTable() {}

  private static void writeLoad(WireWriter out, NodeLoad load) {
    out.node(load.node()).i64(load.incarnation()).i64(load.count()).i64(load.reads());
  }

  private static NodeLoad readLoad(WireReader in) {
    return new NodeLoad(in.node(), in.i64(), in.i64(), in.i64());
  }
}
