package org.ecstore.cluster.database;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Ports of loopback addresses. */
public final class Loopback {
  // Below those that systems give to outgoing connections.
  private static final int FIRST = 15_000;
  private static final int LAST = 31_999;
  private static final int TRIES_MAX = 200;
  private static final int CONNECT_MILLIS = 1_000;
  private static final long LOOK_MILLIS = 100;

  private Loopback() {}

  /**
   * Ports that no process listens on, at any of some addresses.
   *
   * @throws ServerUnavailableException if none is found: an address may not be this machine's
   */
  public static List<Integer> freePorts(int count, List<String> hosts)
      throws ServerUnavailableException {
    List<Integer> found = new ArrayList<>();
    String why = "";
    for (int tries = 0; found.size() < count; tries++) {
      if (tries > TRIES_MAX) {
        throw new ServerUnavailableException(
            "no port is free on " + String.join(", ", hosts) + ": " + why);
      }
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      String taken = found.contains(port) ? "" : taken(port, hosts);
      if (!found.contains(port) && taken.isEmpty()) {
        found.add(port);
      }
      why = taken;
    }
    return found;
  }

  private static String taken(int port, List<String> hosts) {
    for (String host : hosts) {
      try (ServerSocket probe = new ServerSocket()) {
        probe.setReuseAddress(true);
        probe.bind(new InetSocketAddress(host, port));
      } catch (IOException e) {
        return host + ":" + port + ": " + e.getMessage();
      }
    }
    return "";
  }

  /** {@code host:port,host:port} in its parts. */
  public static List<InetSocketAddress> parsed(String addresses) {
    List<InetSocketAddress> parsed = new ArrayList<>();
    for (String address : addresses.split(",", -1)) {
      int colon = address.lastIndexOf(':');
      if (colon <= 0 || !address.substring(colon + 1).matches("[0-9]{1,5}")) {
        throw new IllegalArgumentException("an address is host:port, not \"" + address + '"');
      }
      parsed.add(
          new InetSocketAddress(
              address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
    }
    return parsed;
  }

  /**
   * Waits until all addresses are listened on.
   *
   * @param addresses as {@code host:port,host:port}
   * @throws ServerUnavailableException if a process ends, or time does
   */
  public static void awaitListening(
      String addresses, List<ServerProcess> processes, Duration within)
      throws ServerUnavailableException, InterruptedException {
    awaitListening(
        addresses,
        () ->
            processes.stream()
                .filter(process -> !process.isAlive())
                .findFirst()
                .map(ServerProcess::lastLine),
        within);
  }

  /**
   * As above.
   *
   * @param ended what a process said that has ended; absent while none has
   */
  public static void awaitListening(
      String addresses, Supplier<Optional<String>> ended, Duration within)
      throws ServerUnavailableException, InterruptedException {
    long deadline = System.nanoTime() + within.toNanos();
    for (InetSocketAddress address : parsed(addresses)) {
      while (!isListening(address)) {
        Optional<String> said = ended.get();
        if (said.isPresent()) {
          throw new ServerUnavailableException("its process has ended; it said: " + said.get());
        }
        if (System.nanoTime() - deadline > 0) {
          throw new ServerUnavailableException(
              "it does not listen on " + address + " within " + within.toSeconds() + " s");
        }
        Thread.sleep(LOOK_MILLIS);
      }
    }
  }

  /**
   * Waits until a server that speaks first, as MariaDB's does, has said something: it listens
   * before it takes anyone in.
   *
   * @param ended what a process said that has ended; absent while none has
   */
  public static void awaitGreeting(
      String address, Supplier<Optional<String>> ended, Duration within)
      throws ServerUnavailableException, InterruptedException {
    long deadline = System.nanoTime() + within.toNanos();
    awaitListening(address, ended, within);
    while (!greets(parsed(address).getFirst())) {
      Optional<String> said = ended.get();
      if (said.isPresent() || System.nanoTime() - deadline > 0) {
        throw new ServerUnavailableException(
            said.map(last -> "its process has ended; it said: " + last)
                .orElse(
                    "it does not speak on " + address + " within " + within.toSeconds() + " s"));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private static boolean greets(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, CONNECT_MILLIS);
      socket.setSoTimeout(CONNECT_MILLIS);
      return socket.getInputStream().read() >= 0;
    } catch (IOException _) {
      return false;
    }
  }

  private static boolean isListening(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, CONNECT_MILLIS);
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
