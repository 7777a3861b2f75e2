package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.CorrelatedRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.protocol.RequestOptions;
import org.ecstore.protocol.TraceContext;
import org.ecstore.server.net.Addresses;
import org.ecstore.verify.door.RawClient;
import org.ecstore.wire.Preamble;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of other versions than a node's, over real connections to a real node. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GreetingTest {
  /** Unknown tags, 60 and 200. */
  private static final Bytes NEWER_FIELDS = Bytes.of(60, 2, 1, 1, 200, 1, 0);

  private static final RequestOptions OPTIONS =
      new RequestOptions(
          Optional.of("shop"),
          Optional.of(Bytes.of(1, 2)),
          Optional.of(new TraceContext(1, 2, 3, 1)));

  private LocalCluster cluster;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    cluster = LocalCluster.start(directory, LocalClusterTest.SETTINGS.withNodes(1));
  }

  @AfterAll
  void stop() throws Exception {
    cluster.close();
  }

  private InetSocketAddress address() {
    String address = cluster.addresses();
    return Objects.requireNonNull(Addresses.parse(address), address);
  }

  private RawClient connected() throws IOException {
    RawClient client = new RawClient(address());
    client.sendRaw(Preamble.CLIENT);
    return client;
  }

  private ClientReply greeting(ProtocolVersions versions) throws IOException {
    try (RawClient client = connected()) {
      return client.call(0, new ClientRequest.Hello(versions, "test"));
    }
  }

  @Test
  void aNewerClientThatSpeaksTheNodesVersionIsWelcomeInIt() throws Exception {
    ClientReply.Welcome welcome =
        assertInstanceOf(ClientReply.Welcome.class, greeting(new ProtocolVersions(1, 2)));
    assertEquals(1, welcome.protocolVersion());
  }

  @Test
  void aClientThatIsTooNewIsToldBothVersions() throws Exception {
    ClientReply.Refused refused =
        assertInstanceOf(ClientReply.Refused.class, greeting(new ProtocolVersions(2, 3)));
    assertEquals(
        "this node speaks protocol version 1, the client versions 2 to 3", refused.detail());
  }

  /** The bytes of a client of the first release: preamble, Hello(1, "me"), Begin(SESSION, 0). */
  @Test
  void theBytesOfAnOldClientAreStillTaken() throws Exception {
    try (RawClient client = new RawClient(address())) {
      client.sendRaw(hex("656353740143"));
      client.sendRaw(hex("0000000b" + "0101ac0200000001026d65"));
      Bytes welcome = client.receiveFrame();
      assertEquals(hex("0141ac0200000001"), welcome.slice(0, 8));
      client.sendRaw(hex("00000006" + "010307010000"));
      ClientReply begun = client.receive().reply();
      assertInstanceOf(ClientReply.Begun.class, begun);
    }
  }

  private static Bytes hex(String digits) {
    return Bytes.wrap(HexFormat.of().parseHex(digits));
  }

  @Test
  void aRequestWithFieldsOfANewerClientIsAnsweredAsWithout() throws Exception {
    ClientRequest locate = new ClientRequest.Locate(Bytes.utf8("k"));
    try (RawClient client = RawClient.greeted(address())) {
      client.call(1, new ClientRequest.Begin(ReadLevel.SESSION, ReadPoint.ZERO));
      Bytes bare = ClientCodec.encodeRequest(7, locate);
      client.sendFrame(bare);
      Bytes answer = client.receiveFrame();
      assertInstanceOf(ClientReply.Located.class, ClientCodec.decodeReply(answer).reply());
      client.sendFrame(bare.concat(NEWER_FIELDS));
      assertEquals(answer, client.receiveFrame());
      Bytes told = ClientCodec.encodeRequest(new CorrelatedRequest(7, locate, OPTIONS));
      client.sendFrame(told);
      assertEquals(answer, client.receiveFrame());
      client.sendFrame(told.concat(NEWER_FIELDS));
      assertEquals(answer, client.receiveFrame());
    }
  }

  @Test
  void aGreetingWithFieldsOfANewerClientIsAnsweredAsWithout() throws Exception {
    Bytes hello = ClientCodec.encodeRequest(0, new ClientRequest.Hello(1, "test"));
    try (RawClient one = connected();
        RawClient other = connected()) {
      one.sendFrame(hello);
      other.sendFrame(hello.concat(NEWER_FIELDS));
      assertEquals(one.receiveFrame(), other.receiveFrame());
    }
  }
}
