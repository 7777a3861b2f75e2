package org.ecstore.spring;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.client.EcStore;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.WrongArgumentException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Carries what a user has written from one instance of an application to the next: a cookie with
 * the sealed token of the store's session goes out with the answer to each request that has
 * committed something, or whose method may have; and where it comes in, the store's session has
 * seen that. So users find what they wrote, whichever instance they come to.
 *
 * <p>The token names no data, and no browser can make one ({@link EcStore#sealedToken}). A cookie
 * that is none of this store is ignored. Until the store has been reached once, requests go through
 * without. What is committed after the body of an answer has begun is not in its cookie, nor is
 * what another session of the store's has committed. A request that goes on asynchronously has the
 * cookie once its body begins, whatever its method is.
 */
@Order(SessionCookieFilter.ORDER)
public final class SessionCookieFilter implements Filter {
  /** Outside of all filters that may read or write, as those that look up who has logged in. */
  static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

  /** Of the cookie, if no other is given. */
  public static final String NAME = "ecstore-session";

  /** By then every copy has what the token names. */
  private static final Duration AGE = Duration.ofHours(1);

  /** A token is shorter: what is longer is not even looked at. */
  private static final int TOKEN_CHARS_MAX = 200;

  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
  private static final Logger LOG = LoggerFactory.getLogger(SessionCookieFilter.class);

  private final EcStore store;
  private final ThreadCommits commits;
  private final String name;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile boolean hasKey;

  /**
   * One for an application.
   *
   * @param commits an observer of the store
   * @param name of the cookie
   */
  public SessionCookieFilter(EcStore store, ThreadCommits commits, String name) {
    this.store = store;
    this.commits = commits;
    this.name = name;
    startToAsk();
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer
        && hasKey()) {
      filter(http, answer, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  private void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    token(request).ifPresent(this::seen);
    long before = commits.count();
    boolean mayWrite = !READING.contains(request.getMethod());
    CookieResponse answer =
        new CookieResponse(
            response,
            () -> mayWrite || commits.count() > before,
            () -> addCookie(request, response));
    try {
      chain.doFilter(request, answer);
    } finally {
      if (request.isAsyncStarted()) {
        answer.goesOnElsewhere();
      } else {
        answer.bodyBegins();
      }
    }
  }

  private Optional<String> token(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie cookie : cookies) {
        if (cookie.getName().equals(name)
            && cookie.getValue() != null
            && cookie.getValue().length() <= TOKEN_CHARS_MAX) {
          return Optional.of(cookie.getValue());
        }
      }
    }
    return Optional.empty();
  }

  private void seen(String token) {
    try {
      store.seen(token);
    } catch (WrongArgumentException e) {
      LOG.debug("a cookie is no token of this store: {}", e.text());
    } catch (EcStoreException e) {
      LOG.debug("a cookie names what no node knows of: {}", e.getMessage());
    }
  }

  private void addCookie(HttpServletRequest request, HttpServletResponse response) {
    if (response.isCommitted()) {
      return;
    }
    Cookie cookie = new Cookie(name, store.sealedToken());
    cookie.setHttpOnly(true);
    cookie.setSecure(request.isSecure());
    cookie.setPath(request.getContextPath().isEmpty() ? "/" : request.getContextPath());
    cookie.setMaxAge((int) AGE.toSeconds());
    cookie.setAttribute("SameSite", "Lax");
    response.addCookie(cookie);
  }

  /**
   * Whether the key that seals tokens is known. It may be the store's, which may not be reached
   * yet: no request waits for that.
   */
  private boolean hasKey() {
    if (!hasKey) {
      startToAsk();
    }
    return hasKey;
  }

  private void startToAsk() {
    if (asking.compareAndSet(false, true)) {
      Thread thread = new Thread(this::ask, "ecstore-session-key");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void ask() {
    try {
      var unused = store.sealedToken();
      hasKey = true;
    } catch (EcStoreException e) {
      if (e.code() != ErrorCode.CLOSED) {
        LOG.info("the store cannot be asked for its key of tokens yet: {}", e.getMessage());
      }
    } finally {
      asking.set(false);
    }
  }
}
