package org.ecstore.spring.boot;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.ecstore.model.Isolation;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The store of an application.
 *
 * @param nodes Addresses of some of the cluster's nodes, as host:port each; a host without a port
 *     is asked at 7420.
 * @param directory Directory of a store in this JVM, in place of nodes. Needs ecstore-embedded.
 * @param application Name by which nodes tell this application from others; that of Spring if none
 *     is given.
 * @param deadline How long work may take with all its retries.
 * @param requestTimeout How long one request to one node may take before another is tried.
 * @param isolation What commits validate.
 * @param commitsUnderWay How many commits are under way at once; more wait for their turn.
 * @param idempotencyRetention How long it is remembered what was done under an idempotency key.
 * @param sweepEvery How often it is looked for records that have expired; 0 for never.
 * @param tokenKey Key that seals tokens for browsers, in Base64, of 16 bytes or more; one that the
 *     store keeps if none is given.
 * @param waitForNodes Whether the application starts only where a node answers.
 * @param transactions What @Transactional means.
 * @param session The session of a user.
 * @param health What the health of the application says of the store.
 */
@ConfigurationProperties("ecstore")
public record EcStoreProperties(
    @DefaultValue("localhost") List<String> nodes,
    @Nullable Path directory,
    @Nullable String application,
    @DefaultValue("30s") Duration deadline,
    @DefaultValue("5s") Duration requestTimeout,
    @DefaultValue("serializable") Isolation isolation,
    @DefaultValue("1000") int commitsUnderWay,
    @DefaultValue("24h") Duration idempotencyRetention,
    @DefaultValue("30s") Duration sweepEvery,
    @Nullable String tokenKey,
    @DefaultValue("false") boolean waitForNodes,
    @DefaultValue Transactions transactions,
    @DefaultValue UserSession session,
    @DefaultValue Health health) {
  /**
   * What @Transactional means.
   *
   * @param enabled Whether @Transactional begins transactions of the store, unless there is another
   *     transaction manager.
   */
  public record Transactions(@DefaultValue("true") boolean enabled) {}

  /**
   * The session of a user.
   *
   * @param enabled Whether a cookie carries what a user has written from one instance to another.
   * @param cookie Name of the cookie.
   */
  public record UserSession(
      @DefaultValue("true") boolean enabled, @DefaultValue("ecstore-session") String cookie) {}

  /**
   * What the health of the application says of the store.
   *
   * @param timeout How long a node is waited for.
   */
  public record Health(@DefaultValue("2s") Duration timeout) {}
}
