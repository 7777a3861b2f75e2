package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.verify.door.RawClient;
import org.ecstore.wire.Preamble;
import org.ecstore.wire.WireWriter;

/**
 * The attacks of one client on the memory of one node, by the protocol alone. Each says what the
 * node answered; a connection that the node closes is an answer too.
 */
public final class Glutton implements AutoCloseable {
  private static final int CHUNK_BYTES = 64 << 10;

  /** Not more: what a glutton writes is written over by it, or disks would be full of it. */
  private static final int PLACES = 32;

  private static final long PLACE_KEYS = 1_000_000;
  private static final Bytes BIG = Bytes.utf8("glutton-big");
  private static final Bytes END = RealRequests.JUNK.end().orElseThrow();

  private final InetSocketAddress address;
  private final SplittableRandom random;
  private final List<RawClient> held = Collections.synchronizedList(new ArrayList<>());

  /** A glutton before a node's port. */
  public Glutton(InetSocketAddress address, long seed) {
    this.address = address;
    this.random = new SplittableRandom(seed);
  }

  /** Greets with a name of so many bytes. */
  public void greetWithName(int bytes) throws IOException {
    try (RawClient client = new RawClient(address)) {
      client.sendRaw(Preamble.CLIENT);
      client.sendRaw(new WireWriter().i32(bytes).u8(1).u8(1).varint(0).i32(1).toBytes());
      pour(client, bytes - 7);
    }
  }

  /** Announces a message and sends all of it but the end, and keeps the connection. */
  public void sendPart(int bytes) throws IOException {
    RawClient client = RawClient.greeted(address);
    held.add(client);
    client.sendRaw(new WireWriter().i32(bytes).u8(1).u8(9).varint(7).toBytes());
    pour(client, bytes - 4);
  }

  /** The node may close the connection before it has everything. */
  private static void pour(RawClient client, int bytes) {
    Bytes chunk = Bytes.wrap(new byte[CHUNK_BYTES]);
    try {
      for (int left = bytes; left > 0; left -= CHUNK_BYTES) {
        client.sendRaw(left >= CHUNK_BYTES ? chunk : Bytes.wrap(new byte[left]));
      }
    } catch (IOException closedByNode) {
      // As it should be.
    }
  }

  /** Writes the value that {@link #readManyTimes} reads. */
  public ClientReply writeBig(int bytes) throws IOException {
    try (RawClient client = RawClient.greeted(address)) {
      return client.call(2, commit(client, List.of(new KeyWrite(BIG, value(bytes)))));
    }
  }

  /**
   * Asks so often at once for the same value so many times, and reads no answer; asks for less if
   * the node has no room to say where the value is. Returns the number of requests.
   */
  public int readManyTimes(int keys, int requests) throws IOException {
    RawClient client = RawClient.greeted(address);
    held.add(client);
    if (!(client.call(1, new ClientRequest.Locate(BIG)) instanceof ClientReply.Located located)) {
      return 1;
    }
    Route route = located.route();
    ReadPoint point = begin(client);
    List<Bytes> asked = Collections.nCopies(keys, BIG);
    for (int i = 0; i < requests; i++) {
      client.send(10 + i, new ClientRequest.Get(point, route.range(), route.epoch(), asked, false));
    }
    return requests;
  }

  /**
   * Asks so many small things at once, and reads no answer. Returns the number of requests: not so
   * many that the node could have this one wait for room to say them.
   */
  public int askUnread(int requests) throws IOException {
    RawClient client = RawClient.greeted(address);
    held.add(client);
    Burst burst = new Burst();
    for (int i = 1; i <= requests; i++) {
      burst.frame(ClientCodec.encodeRequest(i, new ClientRequest.Locate(BIG)));
    }
    client.sendRaw(burst.toBytes());
    return requests;
  }

  /** Sends the first half of a message by each of so many connections, and keeps them. */
  public int sendHalves(int connections, int bytes) throws IOException {
    for (int i = 0; i < connections; i++) {
      RawClient client = RawClient.greeted(address);
      held.add(client);
      client.sendRaw(new WireWriter().i32(bytes).u8(1).u8(9).varint(7).toBytes());
      pour(client, bytes / 2);
    }
    return connections;
  }

  /** Commits so many keys with values of so many bytes; what the node says to it. */
  public ClientReply commit(int keys, int valueBytes) throws IOException {
    try (RawClient client = RawClient.greeted(address)) {
      return client.call(2, commit(client, writes(keys, valueBytes)));
    }
  }

  /** Commits one key so many times in one transaction, as no client of ours does. */
  public void repeatKeys(int times) throws IOException {
    KeyWrite write = writes(1, 8).getFirst();
    refused(List.of(), Collections.nCopies(times, write));
  }

  /** Commits a transaction that has read the same interval, cut ever shorter, so many times. */
  public void overlapIntervals(int count) throws IOException {
    List<KeyRange> intervals =
        IntStream.range(0, count)
            .mapToObj(i -> KeyRange.of(BIG.concat(Bytes.utf8("%09d".formatted(i))), END))
            .toList();
    refused(intervals, writes(1, 8));
  }

  private void refused(List<KeyRange> intervals, List<KeyWrite> writes) throws IOException {
    try (RawClient client = RawClient.greeted(address)) {
      ClientRequest request = commit(client, intervals, writes);
      client.strike(ProvenPeer.framed(ClientCodec.encodeRequest(2, request)));
    }
  }

  /** Opens so many connections, greets on half of them, and lets them go. */
  public int connect(int connections) throws IOException {
    for (int i = 0; i < connections; i++) {
      held.add(i % 2 == 0 ? new RawClient(address) : RawClient.greeted(address));
    }
    return connections;
  }

  /** Whether an answer is one that a node gives which keeps its bounds. */
  public static boolean isSound(ClientReply reply) {
    return reply instanceof ClientReply.Committed
        || reply instanceof ClientReply.Aborted
        || reply instanceof ClientReply.OutcomeUnknown
        || (reply instanceof ClientReply.Refused refused
            && (refused.code() == RefusalCode.OVERLOADED
                || refused.code() == RefusalCode.TOO_LARGE));
  }

  private List<KeyWrite> writes(int keys, int valueBytes) {
    long first = random.nextLong(PLACES) * PLACE_KEYS;
    return IntStream.range(0, keys)
        .mapToObj(
            i -> new KeyWrite(Bytes.utf8("glutton-%013d".formatted(first + i)), value(valueBytes)))
        .toList();
  }

  private static Optional<Bytes> value(int bytes) {
    return Optional.of(Bytes.wrap(new byte[bytes]));
  }

  private static ReadPoint begin(RawClient client) throws IOException {
    ClientReply reply = client.call(1, new ClientRequest.Begin(ReadLevel.STRONG, ReadPoint.ZERO));
    return reply instanceof ClientReply.Begun begun ? begun.point() : ReadPoint.ZERO;
  }

  private ClientRequest commit(RawClient client, List<KeyWrite> writes) throws IOException {
    return commit(client, List.of(), writes);
  }

  private ClientRequest commit(RawClient client, List<KeyRange> intervals, List<KeyWrite> writes)
      throws IOException {
    return new ClientRequest.Commit(
        new TxnId(random.nextLong(), random.nextLong()),
        begin(client),
        intervals.isEmpty() ? Isolation.SNAPSHOT : Isolation.SERIALIZABLE,
        List.of(),
        intervals,
        writes,
        30_000);
  }

  /** Lets go of the connections that it has kept. */
  @Override
  public void close() throws IOException {
    for (RawClient client : List.copyOf(held)) {
      client.close();
    }
    held.clear();
  }
}
