package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.cluster.process.StewardSilentException;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.terminal.BadInputException;

/**
 * Tells the steward a request and waits until it is over. The request has an id, so it is told
 * again where no answer comes, and to the next steward, and is still one request: what the steward
 * has heard already it does not do again, and what an earlier one has done the next one finds in
 * the map's last changes.
 */
final class AdminCall {
  private static final long LOOK_MILLIS = 500;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final String ASKING_AGAIN = "; asking again";

  /** Time. */
  interface Clock {
    long nanos();

    void pause(long millis) throws InterruptedException;

    /** That of this machine. */
    Clock REAL =
        new Clock() {
          @Override
          public long nanos() {
            return System.nanoTime();
          }

          @Override
          public void pause(long millis) throws InterruptedException {
            Thread.sleep(millis);
          }
        };
  }

  /**
   * What came of it.
   *
   * @param earlier who was steward when the request was told first, if another one has answered
   */
  record Outcome(DecisionLine line, Optional<NodeId> earlier) {}

  private final ClusterAccess.Link link;
  private final Clock clock;
  private final Consumer<String> say;
  private final ClientRequest.Administer request;
  private Optional<NodeId> steward = Optional.empty();
  private Optional<NodeId> earlier = Optional.empty();
  private String told = "";

  /**
   * A request that has not been told yet.
   *
   * @param id that no other request has
   */
  AdminCall(
      ClusterAccess.Link link,
      Clock clock,
      Consumer<String> say,
      AdminRequest adminRequest,
      long id) {
    this.link = link;
    this.clock = clock;
    this.say = say;
    this.request = new ClientRequest.Administer(adminRequest, id);
  }

  /** Tells a cluster's steward a request of its own id until it is over, as below. */
  static Outcome told(
      ClusterAccess.Link steward, Consumer<String> say, AdminRequest adminRequest, long withinNanos)
      throws IOException, InterruptedException {
    long id = new SecureRandom().nextLong(1, Long.MAX_VALUE);
    return new AdminCall(steward, Clock.REAL, say, adminRequest, id).untilOver(withinNanos);
  }

  /**
   * Asks a question, which changes nothing, until there is an answer.
   *
   * @param say hears why there is none yet, once
   * @throws StewardSilentException if there is none in time
   */
  static <T extends ClientReply> T answered(
      ClusterAccess.Link link,
      Clock clock,
      Consumer<String> say,
      ClientRequest question,
      Class<T> kind,
      long withinMillis)
      throws IOException, InterruptedException {
    long deadline = clock.nanos() + withinMillis * NANOS_PER_MILLI;
    boolean isSaid = false;
    while (true) {
      try {
        return link.ask(question, kind);
      } catch (StewardSilentException e) {
        if (clock.nanos() - deadline > 0) {
          throw e;
        }
        if (!isSaid) {
          say.accept(e.getMessage() + ASKING_AGAIN);
          isSaid = true;
        }
      }
      clock.pause(LOOK_MILLIS);
    }
  }

  /**
   * Tells it until it is done, refused or put off.
   *
   * @throws BadInputException if it is not over in time
   */
  Outcome untilOver(long withinNanos) throws IOException, InterruptedException {
    long deadline = clock.nanos() + withinNanos;
    Optional<String> what = Optional.empty();
    while (true) {
      String now;
      try {
        Decided decided = link.ask(request, Decided.class);
        DecisionLine line = decided.decisions().getFirst();
        noteSteward(decided.steward());
        if (line.isOver()) {
          return new Outcome(line, earlier);
        }
        what = Optional.of(line.what());
        now = line.words() + (line.detail().isEmpty() ? busy() : "");
      } catch (StewardSilentException e) {
        now = e.getMessage() + ASKING_AGAIN;
      }
      if (!now.equals(told)) {
        say.accept(now);
        told = now;
      }
      if (clock.nanos() - deadline > 0) {
        throw new BadInputException(late(what, now));
      }
      clock.pause(LOOK_MILLIS);
    }
  }

  private String late(Optional<String> what, String now) {
    if (what.isEmpty()) {
      return now + " has not helped: the request may have been heard or not, see cluster decisions";
    }
    String steward = this.steward.map(NodeId::toString).orElse("the steward");
    return what.get()
        + " is not done yet; it goes on while "
        + steward
        + " is steward, see cluster decisions: if another is, give the command again";
  }

  private void noteSteward(NodeId now) {
    if (steward.isPresent() && !steward.get().equals(now)) {
      earlier = earlier.or(() -> steward);
      say.accept(
          now + " is steward now, in place of " + steward.get() + ": it was told the request");
    }
    steward = Optional.of(now);
  }

  /** What the steward is at, if that is something else: a request without a detail waits for it. */
  private String busy() throws IOException {
    return link
        .ask(new ClientRequest.AskDecisions(Optional.empty()), Decided.class)
        .decisions()
        .stream()
        .filter(one -> !one.isOver() && !one.cause().equals("operator"))
        .map(one -> " (" + one.what() + ")")
        .findFirst()
        .orElse("");
  }
}
