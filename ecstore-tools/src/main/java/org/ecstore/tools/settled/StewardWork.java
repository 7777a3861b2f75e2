package org.ecstore.tools.settled;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionStage;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientRequest;

/** What the steward is at, of what may move something. */
public final class StewardWork {
  /** The cause of what the controller decides, which is a decision of the steward too. */
  private static final String OBJECTIVE = "objective";

  private StewardWork() {}

  /** Asks the steward. */
  public interface Steward {
    /** The answer. */
    <T extends ClientReply> T ask(ClientRequest request, Class<T> kind) throws IOException;
  }

  /**
   * The first decision that is not over, for people. Those of the controller count while they are
   * being done: one that waits for an answer, or whose effect is measured, moves nothing for as
   * long as that takes, and may come again and again.
   */
  public static Optional<String> underWay(Steward steward) throws IOException {
    List<DecisionLine> open = open(steward);
    Optional<String> moving =
        open.stream()
            .filter(line -> !line.cause().equals(OBJECTIVE))
            .findFirst()
            .map(DecisionLine::words);
    if (moving.isPresent() || open.isEmpty()) {
      return moving;
    }
    return steward.ask(new ClientRequest.AskControl(), Control.class).actions().stream()
        .filter(action -> action.stage() == ActionStage.UNDER_WAY)
        .findFirst()
        .map(action -> action.what() + ", " + action.stage().words());
  }

  /** Whether a node is to hand over all that it has, whether an operator wants it or another. */
  public static boolean isDraining(Steward steward, int node) throws IOException {
    String drain = "drain " + new NodeId(node);
    return open(steward).stream().anyMatch(line -> line.what().equals(drain));
  }

  private static List<DecisionLine> open(Steward steward) throws IOException {
    return steward
        .ask(new ClientRequest.AskDecisions(Optional.empty()), Decided.class)
        .decisions()
        .stream()
        .filter(line -> !line.isOver())
        .toList();
  }
}
