package org.ecstore.bench.hosts;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What an answer's time is made of, from the user to the disk and back: the twelve components that
 * Guster and O'Brien take from Fleming (Network Response Time for Efficient Interactive Use).
 *
 * @param what was asked for, for people
 * @param components in the order in which a request meets them; replies go the other way
 * @param latencySeconds what one operation took in the mean
 */
public record ResponseModel(String what, List<Component> components, double latencySeconds) {
  /** How many components there are. */
  public static final int COMPONENTS = 12;

  /** Within which a customer has to have an answer, by the paper. */
  public static final double TARGET_SECONDS = 3;

  private static final double MILLI = 1e3;

  /** The paper's progression: each component delays twice as much as the one before it. */
  private static final double GROWTH = 2;

  /**
   * One of them.
   *
   * @param seconds on the way to the disk
   * @param back on the way back
   * @param how it is known
   */
  public record Component(String name, double seconds, double back, String how) {}

  /** What was measured where one machine has the client and all servers. */
  public record Measurements(
      double command, double client, double wire, double server, double disk, String diskHow) {}

  public ResponseModel {
    components = List.copyOf(components);
    if (components.size() != COMPONENTS) {
      throw new IllegalArgumentException("a model of " + components.size() + " components");
    }
  }

  /**
   * Of processes of one machine.
   *
   * @param networkSeconds of a network that would be between user and shop, one way
   */
  public static ResponseModel of(
      String what, Measurements found, double networkSeconds, double latencySeconds) {
    String none = "none between processes of one machine";
    String network = networkSeconds > 0 ? "a third of what was given" : none;
    double third = networkSeconds / 3;
    return new ResponseModel(
        what,
        List.of(
            new Component(
                "application command", found.command, 0, "measured: making what is asked"),
            new Component(
                "CPU of the local computer",
                found.client,
                0,
                "measured: the client's processor time, both ways"),
            new Component(
                "NIC of the local computer",
                found.wire,
                found.wire,
                "measured: 1 KiB over the loopback device"),
            new Component("network propagation", third, third, network),
            new Component("switch", 0, 0, none),
            new Component("network propagation", third, third, network),
            new Component("switch", 0, 0, none),
            new Component("network propagation", third, third, network),
            new Component("NIC of the file server", 0, 0, "in that of the local computer"),
            new Component(
                "CPU of the file server",
                found.server,
                0,
                "measured: processor time of all nodes, both ways"),
            new Component("bus", 0, 0, "in that of the disk"),
            new Component("disk", found.disk, 0, found.diskHow)),
        latencySeconds);
  }

  /** Of all components, both ways. */
  public double seconds() {
    return components.stream().mapToDouble(one -> one.seconds + one.back).sum();
  }

  private double networkSeconds() {
    return components.stream()
        .filter(one -> one.name.equals("network propagation"))
        .mapToDouble(one -> one.seconds + one.back)
        .sum();
  }

  /** What a user waits: the operation, and the network that was given. */
  public double responseSeconds() {
    return latencySeconds + networkSeconds();
  }

  /** What of an operation's time no component explains: waiting for processors and each other. */
  public double waitingSeconds() {
    return Math.max(0, responseSeconds() - seconds());
  }

  /**
   * What a delay at the first component has become at the last one, if each delays twice as much as
   * the one before: the paper's 0.8192 s of 0.0004 s.
   */
  public static double grown(double firstSeconds) {
    return firstSeconds * Math.pow(GROWTH, COMPONENTS - 1);
  }

  /** For people. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("response time of " + what + ", in milliseconds there and back:");
    for (int i = 0; i < components.size(); i++) {
      Component one = components.get(i);
      lines.add(
          String.format(
              Locale.ROOT,
              "%4d  %-27s %9.4f %9.4f  %s",
              i + 1,
              one.name,
              one.seconds * MILLI,
              one.back * MILLI,
              one.how));
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "      %-27s %9.4f            the rest: for processors and for each other",
            "waiting",
            waitingSeconds() * MILLI));
    lines.add(
        String.format(
            Locale.ROOT,
            "      %-27s %9.4f            %.2f%% of the %.0f s that a user waits at most",
            "all",
            responseSeconds() * MILLI,
            100 * responseSeconds() / TARGET_SECONDS,
            TARGET_SECONDS));
    return lines;
  }
}
