package org.ecstore.server.net;

import java.time.Duration;

/**
 * Where a node listens and what it bears.
 *
 * @param host the address to bind; the loopback address unless told otherwise, for nothing is
 *     encrypted, and clients need no secret
 * @param port 0 for any free port
 * @param connectionsMax connections of clients at a time; who stays where there are more, and what
 *     room others have beside them, see {@link ConnectionSlots}
 * @param callsPerConnectionMax requests of one client that wait for a reply; with more the node
 *     stops reading from it
 * @param outboundBytesMax bytes of replies that wait for a client to read them; with more it is cut
 * @param peerQueueMax messages that wait for the way to one other node; more are dropped
 * @param handshake time for the preamble and the first message, of nodes for the whole greeting
 * @param frame time for one message from its first byte to its last
 * @param idle time without any message and without a call under way
 * @param stall time without any byte taken while replies wait
 */
public record NetSettings(
    String host,
    int port,
    int connectionsMax,
    int callsPerConnectionMax,
    int outboundBytesMax,
    int peerQueueMax,
    Duration handshake,
    Duration frame,
    Duration idle,
    Duration stall) {
  /** On a free port of the loopback address. */
  public static final NetSettings DEFAULT =
      new NetSettings(
          "127.0.0.1",
          0,
          4_096,
          1_024,
          192 << 20,
          4_096,
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofMinutes(10),
          Duration.ofSeconds(30));

  /** The same on another address. */
  public NetSettings withHost(String address) {
    return new NetSettings(
        address,
        port,
        connectionsMax,
        callsPerConnectionMax,
        outboundBytesMax,
        peerQueueMax,
        handshake,
        frame,
        idle,
        stall);
  }

  /** The same with other limits of time. */
  public NetSettings withTimes(Duration handshake, Duration frame, Duration idle, Duration stall) {
    return new NetSettings(
        host,
        port,
        connectionsMax,
        callsPerConnectionMax,
        outboundBytesMax,
        peerQueueMax,
        handshake,
        frame,
        idle,
        stall);
  }

  /** The same with other limits of number. */
  public NetSettings withLimits(int connections, int callsPerConnection, int outboundBytes) {
    return new NetSettings(
        host,
        port,
        connections,
        callsPerConnection,
        outboundBytes,
        peerQueueMax,
        handshake,
        frame,
        idle,
        stall);
  }
}
