package org.ecstore.bench.peer.echo;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.bench.store.Fields;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadSource;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.CorrelatedRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.wire.Frames;
import org.ecstore.wire.Preamble;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * The process of {@link Echo}: one event loop, which answers a frame as soon as it is there. Its
 * argument is the port.
 */
public final class EchoServer {
  private static final int FIELDS = 10;
  private static final int FIELD_BYTES = 100;

  private EchoServer() {}

  /** Serves until the process is ended. */
  public static void main(String[] arguments) throws InterruptedException {
    Channel port =
        new ServerBootstrap()
            .group(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()))
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new Opening());
                  }
                })
            .bind("127.0.0.1", Integer.parseInt(arguments[0]))
            .sync()
            .channel();
    port.closeFuture().sync();
  }

  /** Takes the bytes that precede the frames away, then leaves the rest to frames. */
  private static final class Opening extends SimpleChannelInboundHandler<ByteBuf> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
      bytes.skipBytes(Preamble.CLIENT.length());
      context
          .pipeline()
          .addLast(
              new LengthFieldBasedFrameDecoder(
                  Frames.BODY_BYTES_MAX + Frames.LENGTH_BYTES,
                  0,
                  Frames.LENGTH_BYTES,
                  0,
                  Frames.LENGTH_BYTES),
              new Answers());
      context.fireChannelRead(bytes.retain());
      context.pipeline().remove(this);
    }
  }

  private static final class Answers extends SimpleChannelInboundHandler<ByteBuf> {
    private static final Bytes RECORD = record();

    /** Ten fields of 100 bytes, as those that are read of stores. */
    private static Bytes record() {
      Map<String, ByteIterator> fields = new TreeMap<>();
      for (int i = 0; i < FIELDS; i++) {
        fields.put("field" + i, new ByteArrayByteIterator(new byte[FIELD_BYTES]));
      }
      return Fields.encode(fields);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
      byte[] body = new byte[frame.readableBytes()];
      frame.readBytes(body);
      CorrelatedRequest asked = ClientCodec.decodeRequest(Bytes.wrap(body));
      Bytes reply = ClientCodec.encodeReply(asked.correlation(), answer(asked.request()));
      ByteBuf out = context.alloc().buffer(Frames.LENGTH_BYTES + reply.length());
      out.writeInt(reply.length()).writeBytes(reply.array());
      var _ = context.writeAndFlush(out, context.voidPromise());
    }

    private static ClientReply answer(ClientRequest request) {
      NodeId node = new NodeId(1);
      if (request instanceof ClientRequest.BeginWith begin
          && begin.read() instanceof ClientRequest.Get get) {
        Row row = new Row(get.keys().getFirst(), new Position(1), RECORD);
        ReadPoint point = new ReadPoint(new Position(1), new MapVersion(1));
        return new ClientReply.BegunWith(
            new ClientReply.Begun(point, 1, 10_000),
            new ClientReply.Values(
                List.of(Optional.of(row)),
                new ReadSource(node, CopyRole.PRIMARY, new Position(1), new Position(1), 0)));
      }
      return new ClientReply.Welcome(ProtocolVersions.SPOKEN.highest(), "echo", node);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var _ = context.close();
    }
  }
}
