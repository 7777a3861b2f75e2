package org.ecstore.client.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.CorrelatedRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.wire.Frames;
import org.ecstore.wire.Preamble;

/** A node as far as a connection can see: takes a preamble and frames, answers as a test says. */
final class TestServer implements AutoCloseable {
  /** What to do with a request. */
  interface Script {
    void on(Peer peer, CorrelatedRequest request);
  }

  /** The other end of a connection. */
  record Peer(Channel channel) {
    void reply(long correlation, ClientReply reply) {
      raw(frame(ClientCodec.encodeReply(correlation, reply)));
    }

    void raw(Bytes bytes) {
      var unused = channel.writeAndFlush(Unpooled.wrappedBuffer(bytes.array()));
    }

    void hangUp() {
      var unused = channel.close();
    }
  }

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final AtomicInteger accepted = new AtomicInteger();
  private final Channel listening;

  TestServer(Script script) {
    this(0, script);
  }

  TestServer(int port, Script script) {
    listening =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accepted.incrementAndGet();
                    channel.pipeline().addLast(new FixedLengthFrameDecoder(Preamble.LENGTH));
                    channel.pipeline().addLast(new Greeting(script));
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .syncUninterruptibly()
            .channel();
  }

  static Bytes frame(Bytes body) {
    int length = body.length();
    return Bytes.of(length >>> 24, length >>> 16, length >>> 8, length).concat(body);
  }

  /** Welcomes and answers everything with a refusal that says what was asked. */
  static void welcome(Peer peer, CorrelatedRequest request) {
    if (request.request() instanceof ClientRequest.Hello) {
      peer.reply(
          request.correlation(),
          new ClientReply.Welcome(ProtocolVersions.SPOKEN.highest(), "cluster", new NodeId(1)));
    }
  }

  private static byte[] bytes(ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.readBytes(bytes);
    return bytes;
  }

  private static final class Greeting extends SimpleChannelInboundHandler<ByteBuf> {
    private final Script script;

    Greeting(Script script) {
      this.script = script;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf first) {
      Preamble.expect(Preamble.Caller.CLIENT, Bytes.wrap(bytes(first)));
      // In this order: what the first decoder still holds goes to the next one as it is removed.
      context
          .pipeline()
          .addLast(new LengthFieldBasedFrameDecoder(Frames.BODY_BYTES_MAX, 0, 4, 0, 4))
          .addLast(new Requests(script));
      context.pipeline().remove(this);
      context.pipeline().remove(FixedLengthFrameDecoder.class);
    }
  }

  private static final class Requests extends SimpleChannelInboundHandler<ByteBuf> {
    private final Script script;

    Requests(Script script) {
      this.script = script;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
      script.on(new Peer(context.channel()), ClientCodec.decodeRequest(Bytes.wrap(bytes(frame))));
    }
  }

  int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  String address() {
    return "127.0.0.1:" + port();
  }

  /** Connections taken so far. */
  int accepted() {
    return accepted.get();
  }

  @Override
  public void close() {
    listening.close().syncUninterruptibly();
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
