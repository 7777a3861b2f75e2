package org.ecstore.client;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.ecstore.client.commit.CommitsUnderWay;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.client.observing.Observers;
import org.ecstore.client.operator.SecretReader;
import org.ecstore.client.read.ReadAhead;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.client.token.PageTokens;
import org.ecstore.client.token.TokenSeal;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.wire.Limits;

/**
 * How a store behaves towards its user. Immutable: each method that changes something gives other
 * options, so that {@code EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(5))} reads well.
 */
public final class EcStoreOptions {
  /** What a store does if it is not told otherwise; each option says it. */
  public static final EcStoreOptions DEFAULT = new EcStoreOptions();

  /** Longer ones do not fit the client's clock, or hide a mistake. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private static final Duration IDEMPOTENCY_MIN = Duration.ofSeconds(1);
  private static final Duration REPORT_MIN = Duration.ofSeconds(1);
  private static final Duration SWEEP_MIN = Duration.ofMillis(10);

  private Duration requestTimeout = Duration.ofSeconds(5);
  private Duration deadline = Duration.ofSeconds(30);
  private Duration backoffFirst = Duration.ofMillis(2);
  private Duration backoffMax = Duration.ofMillis(500);
  private Isolation isolation = Isolation.SERIALIZABLE;
  private ReadLevel readLevel = ReadLevel.SESSION;
  private ReadAhead readAhead = ReadAhead.DEFAULT;
  private int commitsUnderWay = CommitsUnderWay.MAX;
  private Duration idempotencyRetention = Duration.ofHours(24);
  private Duration sweepEvery = Duration.ofSeconds(30);
  private Optional<Executor> executor = Optional.empty();
  private Optional<String> sessionToken = Optional.empty();
  private Optional<Bytes> tokenKey = Optional.empty();
  private Optional<String> application = Optional.empty();
  private Observers observers = Observers.NONE;
  private Duration reportEvery = Duration.ofSeconds(30);
  private boolean awaitsNodes = true;
  private Optional<Supplier<ClusterSecret>> secret = Optional.empty();

  private EcStoreOptions() {}

  private EcStoreOptions copy() {
    EcStoreOptions copy = new EcStoreOptions();
    copy.requestTimeout = requestTimeout;
    copy.deadline = deadline;
    copy.backoffFirst = backoffFirst;
    copy.backoffMax = backoffMax;
    copy.isolation = isolation;
    copy.readLevel = readLevel;
    copy.readAhead = readAhead;
    copy.commitsUnderWay = commitsUnderWay;
    copy.idempotencyRetention = idempotencyRetention;
    copy.sweepEvery = sweepEvery;
    copy.executor = executor;
    copy.sessionToken = sessionToken;
    copy.tokenKey = tokenKey;
    copy.application = application;
    copy.observers = observers;
    copy.reportEvery = reportEvery;
    copy.awaitsNodes = awaitsNodes;
    copy.secret = secret;
    return copy;
  }

  static Duration positive(Duration duration, String name) {
    if (duration.isNegative() || duration.isZero() || duration.compareTo(LONGEST) > 0) {
      throw new WrongArgumentException(
          "the duration is not above zero and at most 365 days", null, name, duration);
    }
    return duration;
  }

  /** How long one request to one node may take before another is tried: 5 seconds. */
  public EcStoreOptions requestTimeout(Duration timeout) {
    EcStoreOptions copy = copy();
    copy.requestTimeout = positive(timeout, "requestTimeout");
    return copy;
  }

  /**
   * How long work in {@link Session#transact} may take with all its retries, and how long each
   * operation of {@link Session#read} and of an open transaction or snapshot may: 30 seconds.
   */
  public EcStoreOptions deadline(Duration time) {
    EcStoreOptions copy = copy();
    copy.deadline = positive(time, "deadline");
    return copy;
  }

  /**
   * Back-off between tries: uniform between zero and {@code first}, doubled each time up to {@code
   * max}: 2 and 500 milliseconds.
   */
  public EcStoreOptions backoff(Duration first, Duration max) {
    if (positive(max, "max").compareTo(positive(first, "first")) < 0) {
      throw new WrongArgumentException(
          "the longest back-off is shorter than the first", null, "first", first, "max", max);
    }
    EcStoreOptions copy = copy();
    copy.backoffFirst = first;
    copy.backoffMax = max;
    return copy;
  }

  /** What a commit validates: {@link Isolation#SERIALIZABLE}. */
  public EcStoreOptions isolation(Isolation level) {
    EcStoreOptions copy = copy();
    copy.isolation = level;
    return copy;
  }

  /** How fresh snapshots are: {@link ReadLevel#SESSION}. */
  public EcStoreOptions readLevel(ReadLevel level) {
    EcStoreOptions copy = copy();
    copy.readLevel = level;
    return copy;
  }

  /**
   * How far a scan that turns out long reads ahead of its reader, from several copies at once: at
   * most so many requests under way, and so many bytes of keys and values fetched or on their way,
   * for each scan: 4 and 16 MiB. Each request counts as the 2 MiB that its answer may be; the one
   * that the reader waits for is sent in any case. With one request a scan goes page by page.
   */
  public EcStoreOptions scanAhead(int requests, long bytes) {
    if (requests < 1 || bytes < 0) {
      throw new WrongArgumentException(
          "a scan needs at least one request, and no negative room",
          null,
          "requests",
          requests,
          "bytes",
          bytes);
    }
    EcStoreOptions copy = copy();
    copy.readAhead = new ReadAhead(requests, bytes);
    return copy;
  }

  /**
   * How many commits are under way at once, of each application ({@link Session#application}):
   * 1,000. Of more, as of thousands of virtual threads that all commit, the others wait before they
   * are sent, for half of their deadline at most: then they end as {@link
   * org.ecstore.client.error.OverloadedException}, and nothing was done.
   */
  public EcStoreOptions commitsUnderWay(int most) {
    if (most < 1) {
      throw new WrongArgumentException(
          "one commit at least may be under way", null, "commitsUnderWay", most);
    }
    EcStoreOptions copy = copy();
    copy.commitsUnderWay = most;
    return copy;
  }

  /**
   * For how long {@link Session#transact(String, Codec, TransactionWork)} remembers what was done:
   * 24 hours. Longer than any sender tries, and by far longer than clocks of clients differ: one
   * that is ahead forgets sooner.
   *
   * @param time a second at least
   */
  public EcStoreOptions idempotencyRetention(Duration time) {
    if (time.compareTo(IDEMPOTENCY_MIN) < 0) {
      throw new WrongArgumentException(
          "what was done once is remembered for a second at least",
          null,
          "idempotencyRetention",
          time);
    }
    EcStoreOptions copy = copy();
    copy.idempotencyRetention = positive(time, "idempotencyRetention");
    return copy;
  }

  /**
   * How often a store looks for records that are over, once it has written one with a lifetime: 30
   * seconds, more or less, and up to sixteen times less often while that fails, as where the
   * cluster is overloaded. Zero is never, where {@link EcStore#sweep} or another program does it.
   *
   * @param time 10 milliseconds at least, or zero
   */
  public EcStoreOptions sweepEvery(Duration time) {
    if (!time.isZero() && time.compareTo(SWEEP_MIN) < 0) {
      throw new WrongArgumentException(
          "it is not looked more often than every 10 milliseconds", null, "sweepEvery", time);
    }
    EcStoreOptions copy = copy();
    copy.sweepEvery = time.isZero() ? time : positive(time, "sweepEvery");
    return copy;
  }

  /**
   * What runs asynchronous work: threads of the store's own, virtual ones on Java 21 and later, of
   * which 1,000 run at once, or else 64 daemon threads. With more than 4,160 pieces of work that
   * run or wait the next one is refused. The store does not shut an executor down that is given
   * here.
   */
  public EcStoreOptions executor(Executor forAsyncWork) {
    EcStoreOptions copy = copy();
    copy.executor = Optional.of(forAsyncWork);
    return copy;
  }

  /**
   * What the store's own session has seen already: nothing. For a token that is sealed ({@link
   * EcStore#sealedToken}) a node is asked for the seal's key when the store is made, also {@link
   * #withoutWaitingForNodes}, unless {@link #tokenKey} says it.
   *
   * @throws WrongArgumentException if it is no token; if its seal is another one's, the store is
   *     not made
   */
  public EcStoreOptions sessionToken(String token) {
    PageTokens.check(token);
    EcStoreOptions copy = copy();
    copy.sessionToken = Optional.of(token);
    return copy;
  }

  /**
   * What seals the tokens of pages ({@link Page#next}, {@link Cursor#continuation}), so that the
   * browsers that hold them learn no keys and can change nothing: by default a key that the store
   * keeps itself, in its table {@code ecstore}, and makes with the first token. It is then the same
   * in all processes and after restarts, and known to all who can read the store. Tokens sealed
   * with one key are refused with another.
   *
   * @param key 16 or more random bytes, the same wherever tokens have to be understood
   */
  public EcStoreOptions tokenKey(byte[] key) {
    if (key.length < TokenSeal.KEY_BYTES_MIN) {
      throw new WrongArgumentException(
          "a token key is of " + TokenSeal.KEY_BYTES_MIN + " or more bytes",
          null,
          "bytes",
          key.length);
    }
    EcStoreOptions copy = copy();
    copy.tokenKey = Optional.of(Bytes.copyOf(key));
    return copy;
  }

  /**
   * The name by which nodes tell the requests of this application from those of others: none. While
   * a node has little room, no application at one address gets more than its share of it; those
   * without a name have one together. {@link Session#application} names another one for a part of
   * what a store does.
   *
   * @param name 1 to 64 bytes in UTF-8, without control characters
   */
  public EcStoreOptions application(String name) {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    boolean hasControls = name.codePoints().anyMatch(Character::isISOControl);
    if (bytes == 0 || bytes > Limits.APPLICATION_BYTES_MAX || hasControls) {
      throw new WrongArgumentException(
          "the name of an application is of 1 to "
              + Limits.APPLICATION_BYTES_MAX
              + " bytes, without control characters",
          null,
          "bytes",
          bytes);
    }
    EcStoreOptions copy = copy();
    copy.application = Optional.of(name);
    return copy;
  }

  /**
   * Is told what the store does, for metrics and traces: nothing is. One that is given later is
   * told beside those before it.
   *
   * <pre>{@code
   * EcStoreOptions.DEFAULT.observer(MicrometerObserver.of(registry))
   * }</pre>
   */
  public EcStoreOptions observer(StoreObserver toTell) {
    EcStoreOptions copy = copy();
    copy.observers = observers.and(toTell);
    return copy;
  }

  /**
   * A store is made whether or not a node answers, as for an application that starts before its
   * store does: what it is asked for meanwhile waits until the deadline, as at any other time.
   * {@link EcStore#reach} says whether a node is there.
   */
  public EcStoreOptions withoutWaitingForNodes() {
    EcStoreOptions copy = copy();
    copy.awaitsNodes = false;
    return copy;
  }

  StoreObserver observer() {
    return observers;
  }

  boolean awaitsNodes() {
    return awaitsNodes;
  }

  /**
   * How often a node is told, along with a request, how long operations took, by table, which
   * objectives are held against: every 30 seconds.
   *
   * @param time between two reports, a second at least; zero for none
   */
  public EcStoreOptions reportEvery(Duration time) {
    if (!time.isZero() && (time.compareTo(REPORT_MIN) < 0 || time.compareTo(LONGEST) > 0)) {
      throw new WrongArgumentException(
          "reports are a second to 365 days apart, or zero for none", null, "time", time);
    }
    EcStoreOptions copy = copy();
    copy.reportEvery = time;
    return copy;
  }

  /**
   * The file with the cluster's secret, by which {@link Objectives} proves that it may change what
   * applications are promised: none. {@code bin/ecstore cluster up} makes it as {@code
   * DIR/cluster.secret}, and nodes that were configured by hand name theirs in {@code
   * cluster.secret-file}. It is read with each change. Who has it can do all that a node can: keep
   * it from what serves strangers.
   */
  public EcStoreOptions secretFile(Path file) {
    EcStoreOptions copy = copy();
    Path absolute = file.toAbsolutePath();
    copy.secret = Optional.of(() -> SecretReader.read(absolute));
    return copy;
  }

  /** As {@link #secretFile}, of who has the secret itself: as a text, or of a cluster in tests. */
  public EcStoreOptions secret(ClusterSecret ofCluster) {
    EcStoreOptions copy = copy();
    ClusterSecret given = Objects.requireNonNull(ofCluster, "ofCluster");
    copy.secret = Optional.of(() -> given);
    return copy;
  }

  /**
   * The cluster's secret, if there is one.
   *
   * @throws org.ecstore.client.error.NotAllowedException if its file cannot be read
   */
  Optional<ClusterSecret> secret() {
    return secret.map(Supplier::get);
  }

  Duration reportEvery() {
    return reportEvery;
  }

  Optional<String> application() {
    return application;
  }

  Duration requestTimeout() {
    return requestTimeout;
  }

  Duration deadline() {
    return deadline;
  }

  Duration backoffFirst() {
    return backoffFirst;
  }

  Duration backoffMax() {
    return backoffMax;
  }

  Isolation isolation() {
    return isolation;
  }

  ReadLevel readLevel() {
    return readLevel;
  }

  ReadAhead readAhead() {
    return readAhead;
  }

  int commitsUnderWay() {
    return commitsUnderWay;
  }

  Duration idempotencyRetention() {
    return idempotencyRetention;
  }

  Duration sweepEvery() {
    return sweepEvery;
  }

  Optional<Executor> executor() {
    return executor;
  }

  Optional<String> sessionToken() {
    return sessionToken;
  }

  Optional<Bytes> tokenKey() {
    return tokenKey;
  }
}
