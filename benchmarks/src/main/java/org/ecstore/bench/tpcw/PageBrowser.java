package org.ecstore.bench.tpcw;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A browser without scripts and pictures: its cookies, pages, forms and redirects. One thread. */
final class PageBrowser {
  /** Longer than any page may take (TPC-W 1.8, 5.6.1). */
  private static final Duration PAGE_WITHIN = Duration.ofSeconds(60);

  private static final int REDIRECTS_MAX = 5;
  private static final int OK = 200;
  private static final int REDIRECT = 300;
  private static final int BAD_REQUEST = 400;
  private static final int SERVER_ERROR = 500;

  private final HttpClient client;
  private final URI root;
  private final Map<String, String> cookies = new TreeMap<>();

  /**
   * A browser of a shop.
   *
   * @param client with which all browsers share their connections
   * @param root of the shop's addresses
   */
  PageBrowser(HttpClient client, URI root) {
    this.client = client;
    this.root = root;
  }

  /**
   * A page as it came.
   *
   * @param path where it was in the end
   */
  record Loaded(String path, String html) {}

  /** Knows nothing of the shop any more. */
  void forget() {
    cookies.clear();
  }

  /** Has a cookie, as of an earlier visit. */
  void has(String cookie, String value) {
    cookies.put(cookie, value);
  }

  /** Goes to an address. */
  Loaded get(String path) throws IOException, InterruptedException, WrongPageException {
    return shown(request(path).GET().build());
  }

  /** Sends a form. */
  Loaded post(String path, Map<String, String> form)
      throws IOException, InterruptedException, WrongPageException {
    String body =
        form.entrySet().stream()
            .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
            .collect(Collectors.joining("&"));
    return shown(
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  /** As an address has it. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(root.resolve(path))
            .timeout(PAGE_WITHIN)
            .header("Accept", "text/html");
    if (!cookies.isEmpty()) {
      builder.header(
          "Cookie",
          cookies.entrySet().stream()
              .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
              .collect(Collectors.joining("; ")));
    }
    return builder;
  }

  private Loaded shown(HttpRequest first)
      throws IOException, InterruptedException, WrongPageException {
    HttpRequest request = first;
    for (int redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      HttpResponse<String> response =
          client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
      response.headers().allValues("set-cookie").forEach(this::keep);
      int status = response.statusCode();
      if (status == OK) {
        return new Loaded(request.uri().getPath(), response.body());
      }
      if (status >= SERVER_ERROR) {
        // Of the store that is away: the same may be asked again.
        throw new IOException(
            "%s %s: status %d".formatted(first.method(), first.uri().getPath(), status));
      }
      if (status < REDIRECT || status >= BAD_REQUEST) {
        throw new WrongPageException(
            "%s %s: status %d".formatted(first.method(), first.uri().getPath(), status));
      }
      String to =
          response
              .headers()
              .firstValue("location")
              .orElseThrow(() -> new WrongPageException("a redirect to nowhere"));
      request = request(to).GET().build();
    }
    throw new WrongPageException(first.uri().getPath() + ": too many redirects");
  }

  private void keep(String cookie) {
    String pair = cookie.split(";", -1)[0];
    int equals = pair.indexOf('=');
    if (equals > 0) {
      cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
  }
}
