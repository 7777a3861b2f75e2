package org.ecstore.bench.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;

/**
 * A part of a run with one load.
 *
 * @param name of it: one word
 * @param lasts as long, the time in which nothing is counted too
 * @param load of the shop
 * @param floodClients of the reports, each of which waits for an answer before it asks again; 0 for
 *     none
 */
record QosPhase(String name, Duration lasts, Load load, int floodClients) {
  /** The first: what the first nodes do with ease. */
  static final String CALM = "calm";

  /** The second, of twice the load. */
  static final String DOUBLED = "doubled";

  /** The second, with another application beside the shop. */
  static final String FLOODED = "flooded";

  /** The last: hardly any load is left. */
  static final String GONE = "gone";

  private static final double WARM_UP_MAX = 5;
  private static final double WARM_UP_PART = 0.1;
  private static final double MILLIS = 1e3;

  /** What the shop's clients do. */
  sealed interface Load {
    /** Clients, each with one operation at a time. */
    int clients();

    /** So many times as much. */
    Load times(double factor);

    /** For people. */
    String words();

    /** As a result has it. */
    void write(ObjectNode json);
  }

  /**
   * So many operations begin each second, whether others are done or not.
   *
   * @param clients that begin them
   */
  record Rate(double perSecond, int clients) implements Load {
    @Override
    public Load times(double factor) {
      return new Rate(perSecond * factor, clients);
    }

    @Override
    public String words() {
      return QosText.number(perSecond) + "/s";
    }

    @Override
    public void write(ObjectNode json) {
      json.put("rate", perSecond);
    }
  }

  /** Each of these waits for an answer before it asks again, as in a performance table. */
  record Waiting(int clients) implements Load {
    /** One at least. */
    @Override
    public Load times(double factor) {
      return new Waiting((int) Math.max(1, Math.round(clients * factor)));
    }

    @Override
    public String words() {
      return clients + (clients == 1 ? " client" : " clients");
    }

    @Override
    public void write(ObjectNode json) {
      json.put("clients", clients);
    }
  }

  /** Whether one operation of the shop at least is to begin while it counts. */
  boolean isAnythingDue() {
    return switch (load) {
      case Waiting _ -> true;
      case Rate rate -> rate.perSecond() * (seconds() - warmUpSeconds()) >= 1;
    };
  }

  /** Seconds at its beginning in which clients run and nothing is counted. */
  double warmUpSeconds() {
    return Math.min(WARM_UP_MAX, seconds() * WARM_UP_PART);
  }

  double seconds() {
    return lasts.toMillis() / MILLIS;
  }
}
