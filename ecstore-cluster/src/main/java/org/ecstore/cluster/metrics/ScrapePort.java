package org.ecstore.cluster.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Answers {@code GET /metrics} by HTTP, and nothing else. One thread answers one request after the
 * other; few wait, and none may take long to ask: this port is for one or two systems that scrape.
 */
final class ScrapePort implements AutoCloseable {
  private static final String PATH = "/metrics";
  private static final String METHOD = "GET";
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String CONTENT_TYPE = "Content-Type";

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int WAITING_MAX = 16;

  static {
    // The limits of the JDK's server are properties of the process; those that are given stay.
    limit("jdk.httpserver.maxConnections", 32);
    limit("sun.net.httpserver.maxReqTime", 5);
    limit("sun.net.httpserver.maxRspTime", 10);
  }

  private final HttpServer server;
  private final ThreadPoolExecutor thread;
  private final Supplier<String> scrape;
  private final String contentType;

  private ScrapePort(
      HttpServer server, ThreadPoolExecutor thread, Supplier<String> scrape, String contentType) {
    this.server = server;
    this.thread = thread;
    this.scrape = scrape;
    this.contentType = contentType;
  }

  private static void limit(String property, int most) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, String.valueOf(most));
    }
  }

  /**
   * Opens a port.
   *
   * @param scrape what is answered; runs on the port's own thread
   * @throws java.net.BindException if the port is not free, or the address not this machine's
   */
  static ScrapePort open(InetSocketAddress address, Supplier<String> scrape, String contentType)
      throws IOException {
    HttpServer server = HttpServer.create(address, WAITING_MAX);
    ThreadPoolExecutor thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            Thread.ofPlatform().daemon().name("metrics").factory());
    ScrapePort port = new ScrapePort(server, thread, scrape, contentType);
    server.setExecutor(thread);
    server.createContext("/", port::answer);
    server.start();
    return port;
  }

  /** Where it listens. */
  InetSocketAddress address() {
    return server.getAddress();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestURI().getPath().equals(PATH)) {
        send(exchange, NOT_FOUND, TEXT, "there is nothing but " + PATH + " here\n");
      } else if (!exchange.getRequestMethod().equals(METHOD)) {
        exchange.getResponseHeaders().set("Allow", METHOD);
        send(exchange, METHOD_NOT_ALLOWED, TEXT, PATH + " is read with " + METHOD + "\n");
      } else {
        send(exchange, OK, contentType, scrape.get());
      }
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set(CONTENT_TYPE, type);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  /** Ends it at once. */
  @Override
  public void close() {
    server.stop(0);
    thread.shutdownNow();
  }
}
