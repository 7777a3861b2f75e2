package org.ecstore.engines.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the server. None is mended behind the caller's back: commands that were under way
 * would be sent again.
 */
final class RedisServer implements AutoCloseable {
  private static final Pattern POLICY = Pattern.compile("maxmemory_policy:(\\S+)");
  private static final Pattern VERSION =
      Pattern.compile("redis_version:(([0-9]{1,6})\\.([0-9]{1,6})\\S{0,60})");
  private static final int MAJOR_LEAST = 6;
  private static final int MINOR_LEAST = 2;
  private static final int THREADS = 2;

  private final RedisSettings settings;
  private final ClientResources resources;
  private final RedisClient client;

  RedisServer(RedisSettings settings) {
    this.settings = settings;
    this.resources =
        ClientResources.builder()
            .ioThreadPoolSize(THREADS)
            .computationThreadPoolSize(THREADS)
            .build();
    boolean made = false;
    try {
      this.client = RedisClient.create(resources, address(settings));
      made = true;
    } finally {
      if (!made) {
        var _ = resources.shutdown(0, 1, TimeUnit.SECONDS);
      }
    }
    client.setOptions(
        ClientOptions.builder()
            .autoReconnect(false)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .socketOptions(SocketOptions.builder().connectTimeout(settings.answerWithin()).build())
            .timeoutOptions(TimeoutOptions.enabled(settings.answerWithin()))
            .build());
  }

  /** Where it is, and who logs in: of user and password each is as given, or as the URL says. */
  static RedisURI address(RedisSettings settings) {
    EngineServer server = settings.server();
    RedisURI address = RedisURI.create(server.url());
    address.setTimeout(settings.answerWithin());
    RedisUrl said = RedisUrl.of(server.url());
    String user = server.user().or(said::user).orElse(null);
    server
        .password()
        .or(said::password)
        .ifPresent(
            password ->
                address.setCredentialsProvider(
                    new StaticCredentialsProvider(user, password.toCharArray())));
    return address;
  }

  /** A connection that is opened when it is asked for, and again when it was lost. */
  final class Line implements AutoCloseable {
    private @Nullable StatefulRedisConnection<byte[], byte[]> connection;

    private synchronized StatefulRedisConnection<byte[], byte[]> connected() {
      StatefulRedisConnection<byte[], byte[]> known = connection;
      if (known != null && known.isOpen()) {
        return known;
      }
      if (known != null) {
        known.close();
      }
      StatefulRedisConnection<byte[], byte[]> made = client.connect(ByteArrayCodec.INSTANCE);
      connection = made;
      return made;
    }

    /** Gives the connection up: what is under way on it has no outcome. */
    synchronized void drop() {
      StatefulRedisConnection<byte[], byte[]> known = connection;
      connection = null;
      if (known != null) {
        known.close();
      }
    }

    /**
     * What the server answers. A connection on which it does not is given up: one that is open and
     * leads nowhere would have no answer for the next one either.
     */
    private <T> T ask(Function<RedisCommands<byte[], byte[]>, T> question) {
      StatefulRedisConnection<byte[], byte[]> open = connected();
      try {
        return question.apply(open.sync());
      } catch (RedisCommandExecutionException e) {
        throw e; // This is an answer.
      } catch (RedisException e) {
        dropUsed(open);
        throw e;
      }
    }

    /** Gives a connection up, unless another one has taken its place since. */
    private synchronized void dropUsed(StatefulRedisConnection<byte[], byte[]> used) {
      if (used.equals(connection)) {
        drop();
      }
    }

    /** What a script says; the server is told the script if it does not know it. */
    List<Object> run(Script script, byte[][] keys, byte[]... arguments) {
      return ask(
          commands -> {
            try {
              return commands.evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments);
            } catch (RedisNoScriptException _) {
              commands.scriptLoad(script.text());
              return commands.evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments);
            }
          });
    }

    /**
     * Checks that the server is of a release that has all that is asked of it.
     *
     * @throws StoreException if it is older
     */
    void checkRelease() {
      Optional<String> tooOld = tooOld(ask(commands -> commands.info("server")));
      if (tooOld.isPresent()) {
        throw new StoreException(StoreException.Reason.UNAVAILABLE, tooOld.get());
      }
    }

    /**
     * Checks that the server drops nothing by itself.
     *
     * @throws StoreException if it does; says what to set
     */
    void checkKeepsAll() {
      Matcher policy = POLICY.matcher(ask(commands -> commands.info("memory")));
      if (!policy.find() || !policy.group(1).equals("noeviction")) {
        throw new StoreException(
            StoreException.Reason.UNAVAILABLE,
            "the server drops rows when its memory is full: set its maxmemory-policy to"
                + " noeviction");
      }
    }

    @Override
    public void close() {
      drop();
    }
  }

  /**
   * Why a server is too old, in a sentence; absent if it is not, or does not say of which release
   * it is.
   *
   * @param info what it says of itself
   */
  static Optional<String> tooOld(String info) {
    Matcher version = VERSION.matcher(info);
    if (!version.find()) {
      return Optional.empty();
    }
    int major = Integer.parseInt(version.group(2));
    int minor = Integer.parseInt(version.group(3));
    boolean isOld = major < MAJOR_LEAST || (major == MAJOR_LEAST && minor < MINOR_LEAST);
    return isOld
        ? Optional.of(
            "the server is Redis %s, and %d.%d or later is needed"
                .formatted(version.group(1), MAJOR_LEAST, MINOR_LEAST))
        : Optional.empty();
  }

  /** What a failed command comes to. */
  StoreException failed(String what, RedisException e) {
    String text = "store " + settings.server().store() + ": a " + what + " failed: " + words(e);
    boolean full = text.contains("OOM command not allowed");
    return new StoreException(
        full ? StoreException.Reason.NO_ROOM : StoreException.Reason.UNAVAILABLE, text, e);
  }

  /** What went wrong; the library writes an address that it has not looked up in two parts. */
  static String words(Exception e) {
    return String.valueOf(e.getMessage()).replace("/<unresolved>", "");
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    var _ = resources.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
