package org.ecstore.spring;

import static org.ecstore.spring.SpringFixture.BALANCES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.key.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.OrderUtils;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** A user finds what they wrote, whichever instance of the application they come to. */
class SessionCookieFilterTest {
  private final SpringFixture fixture = new SpringFixture();
  private final SessionCookieFilter filter =
      new SessionCookieFilter(fixture.store, fixture.commits, SessionCookieFilter.NAME);

  @AfterEach
  void close() {
    fixture.store.close();
  }

  private static MockHttpServletRequest request(String method, @Nullable String token) {
    MockHttpServletRequest request = new MockHttpServletRequest(method, "/");
    if (token != null) {
      request.setCookies(new Cookie(SessionCookieFilter.NAME, token));
    }
    return request;
  }

  private MockHttpServletResponse served(MockHttpServletRequest request, FilterChain chain)
      throws IOException, ServletException {
    MockHttpServletResponse response = new MockHttpServletResponse();
    filter.doFilter(request, response, chain);
    return response;
  }

  /** The key that seals tokens is asked for in the background. */
  private void awaitKey() {
    Awaitility.await()
        .until(
            () ->
                served(request("POST", null), (request, response) -> {})
                        .getCookie(SessionCookieFilter.NAME)
                    != null);
  }

  private void write() {
    fixture.store.execute(tx -> tx.put(BALANCES, Tuple.of("alice"), 7L));
  }

  @Test
  void whatARequestHasCommittedComesBackInACookie() throws Exception {
    awaitKey();
    MockHttpServletResponse written = served(request("GET", null), (request, response) -> write());
    Cookie cookie = written.getCookie(SessionCookieFilter.NAME);
    assertNotNull(cookie);
    assertTrue(cookie.isHttpOnly());
    assertEquals("Lax", cookie.getAttribute("SameSite"));
    try (EcStore other = another()) {
      SessionCookieFilter there =
          new SessionCookieFilter(other, new ThreadCommits(), SessionCookieFilter.NAME);
      Awaitility.await()
          .until(
              () -> {
                there.doFilter(
                    request("GET", cookie.getValue()),
                    new MockHttpServletResponse(),
                    (in, out) -> {});
                return other.token().equals(fixture.store.token());
              });
    }
  }

  private EcStore another() {
    return EcStore.over(fixture.cluster, EcStoreOptions.DEFAULT, new FakeTime(2));
  }

  @Test
  void aPageThatOnlyReadsHasNoneAndCanBeCached() throws Exception {
    awaitKey();
    MockHttpServletResponse read =
        served(
            request("GET", null),
            (request, response) ->
                fixture.store.read(snapshot -> snapshot.get(BALANCES, Tuple.of("alice"))));
    assertNull(read.getCookie(SessionCookieFilter.NAME));
  }

  @Test
  void theCookieIsThereBeforeTheBodyIs() throws Exception {
    awaitKey();
    MockHttpServletResponse written =
        served(
            request("GET", null),
            (request, response) -> {
              write();
              response.getOutputStream().write(new byte[100_000]);
              response.flushBuffer();
            });
    assertNotNull(written.getCookie(SessionCookieFilter.NAME));
    MockHttpServletResponse redirected =
        served(
            request("GET", null),
            (request, response) -> {
              write();
              ((HttpServletResponse) response).sendRedirect("/elsewhere");
            });
    assertNotNull(redirected.getCookie(SessionCookieFilter.NAME));
  }

  /** Its commits are another thread's, and come when the first one has gone. */
  @Test
  void anAnswerThatComesLaterHasItWhenItsBodyBegins() throws Exception {
    awaitKey();
    MockHttpServletRequest request = request("GET", null);
    request.setAsyncSupported(true);
    List<ServletResponse> answers = new ArrayList<>();
    MockHttpServletResponse response =
        served(
            request,
            (in, out) -> {
              in.startAsync(in, out);
              answers.add(out);
            });
    assertNull(response.getCookie(SessionCookieFilter.NAME));
    // The container goes on with it, as if it had not been asynchronous.
    request.setAsyncStarted(false);
    answers.get(0).getWriter().write("done");
    assertNotNull(response.getCookie(SessionCookieFilter.NAME));
  }

  /** Behind Spring Security's it would come too late to look up who has logged in. */
  @Test
  void itStandsOutsideOfOtherFilters() {
    assertEquals(SessionCookieFilter.ORDER, OrderUtils.getOrder(SessionCookieFilter.class));
    assertTrue(SessionCookieFilter.ORDER < -100_000);
  }

  @Test
  void whatFailsBehindItsCommitHasItToo() throws Exception {
    awaitKey();
    MockHttpServletResponse response = new MockHttpServletResponse();
    assertThrows(
        ServletException.class,
        () ->
            filter.doFilter(
                request("GET", null),
                response,
                (in, out) -> {
                  write();
                  throw new ServletException("behind its commit");
                }));
    assertNotNull(response.getCookie(SessionCookieFilter.NAME));
  }

  @Test
  void aForgedCookieIsIgnored() throws Exception {
    awaitKey();
    String before = fixture.store.token();
    for (String token :
        new String[] {
          "", "nonsense", before, fixture.store.sealedToken() + "A", "x".repeat(5_000)
        }) {
      MockHttpServletResponse response =
          served(request("GET", token), (in, out) -> out.getWriter().write("page"));
      assertEquals("page", response.getContentAsString());
      assertEquals(before, fixture.store.token());
    }
  }
}
