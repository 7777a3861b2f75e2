package org.ecstore.server.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.core.message.EnvelopeCodec;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.StateMachine;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadSource;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.server.admission.Admission;
import org.ecstore.server.admission.MemoryLimits;
import org.ecstore.server.loop.EventLoop;
import org.ecstore.server.loop.LoopLimits;
import org.ecstore.wire.MessageTable;

/**
 * A real event loop and a real transport around a state machine that only answers: a Get with one
 * row for each key, whose value has as many bytes as the last byte of the key says, in units of 64
 * KiB.
 */
final class AnsweringNode implements StateMachine, AutoCloseable {
  static final String CLUSTER = "test-cluster";
  static final ClusterSecret SECRET = ClusterSecret.random();
  static final int VALUE_UNIT_BYTES = 64 << 10;

  final NodeId id;
  final EventLoop eventLoop;
  final NodeNetwork network;
  final InetSocketAddress address;

  /** Everything but client calls. */
  final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  /** Run on the event loop before each client call. */
  volatile Consumer<Event.Called> beforeCall = called -> {};

  /** A message for tests. */
  record Note(String text) implements NodeMessage {}

  private static final MessageTable<Note> NOTES =
      MessageTable.of(Note.class, "note", 1, 1)
          .row(1, Note.class, (out, note) -> out.text(note.text()), in -> new Note(in.text()))
          .build();

  AnsweringNode(long id, NetSettings settings, NetLoops loops) throws IOException {
    this(CLUSTER, id, settings, LoopLimits.DEFAULT, loops);
  }

  AnsweringNode(String cluster, long id, NetSettings settings, LoopLimits limits, NetLoops loops)
      throws IOException {
    this(cluster, Optional.of(SECRET), id, settings, limits, loops);
  }

  AnsweringNode(
      String cluster,
      long id,
      NetSettings settings,
      LoopLimits limits,
      NetLoops loops,
      MemoryLimits memory)
      throws IOException {
    this(cluster, Optional.of(SECRET), id, settings, limits, loops, memory);
  }

  AnsweringNode(
      String cluster,
      Optional<ClusterSecret> secret,
      long id,
      NetSettings settings,
      LoopLimits limits,
      NetLoops loops)
      throws IOException {
    this(cluster, secret, id, settings, limits, loops, MemoryLimits.ofThisProcess());
  }

  AnsweringNode(
      String cluster,
      Optional<ClusterSecret> secret,
      long id,
      NetSettings settings,
      LoopLimits limits,
      NetLoops loops,
      MemoryLimits memory)
      throws IOException {
    this.id = new NodeId(id);
    NodeLoops own = loops.forNode();
    eventLoop = new EventLoop("n" + id, limits, own.sideWork());
    network =
        new NodeNetwork(
            cluster,
            this.id,
            secret,
            settings,
            new EnvelopeCodec(List.of(NOTES)),
            eventLoop,
            own,
            new Admission(memory),
            Metrics.NONE);
    eventLoop.afterBatch(network::flush);
    eventLoop.onRelief(network::inboxRelieved);
    eventLoop.onStopped(network::close);
    network.incarnation(1);
    eventLoop.begin();
    address = network.listen(settings.port());
    eventLoop.start(this);
  }

  Member member(long incarnation) {
    return new Member(id, incarnation, new MemberInfo(Addresses.format(address)));
  }

  Event nextEvent() throws InterruptedException {
    Event event = events.poll(30, TimeUnit.SECONDS);
    if (event == null) {
      throw new AssertionError("no event came");
    }
    return event;
  }

  @Override
  public void start() {}

  @Override
  public void on(Event event) {
    if (event instanceof Event.Called called) {
      beforeCall.accept(called);
      answer(called);
    } else {
      events.add(event);
    }
  }

  private ClientReply greet(ProtocolVersions client) {
    return ProtocolVersions.SPOKEN
        .highestCommon(client)
        .<ClientReply>map(version -> new ClientReply.Welcome(version, CLUSTER, id))
        .orElseGet(
            () ->
                new ClientReply.Refused(
                    RefusalCode.BAD_REQUEST, ProtocolVersions.SPOKEN.refusalOf(client)));
  }

  private void answer(Event.Called called) {
    switch (called.request()) {
      case ClientRequest.Hello hello -> network.reply(called.call(), greet(hello.versions()));
      case ClientRequest.Get get ->
          network.reply(
              called.call(),
              new ClientReply.Values(
                  get.keys().stream().map(AnsweringNode::row).toList(),
                  new ReadSource(
                      new NodeId(1), CopyRole.PRIMARY, Position.ZERO, Position.ZERO, 0)));
      case ClientRequest.Status status ->
          throw new IllegalStateException("planted by a test: this node has a bug");
      case ClientRequest.Administer adminRequest ->
          network.reply(called.call(), new ClientReply.Decided(id, List.of()));
      case ClientRequest.EndSnapshot end -> events.add(called);
      default -> throw new IllegalStateException("no test asks this: " + called.request());
    }
  }

  private static Optional<Row> row(Bytes key) {
    int units = key.at(key.length() - 1);
    return Optional.of(
        new Row(key, new Position(1), Bytes.wrap(new byte[units * VALUE_UNIT_BYTES])));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    eventLoop.close();
    network.close();
  }
}
