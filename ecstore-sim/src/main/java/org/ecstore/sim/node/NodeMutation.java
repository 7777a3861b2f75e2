package org.ecstore.sim.node;

import org.ecstore.engines.window.WindowRules;
import org.ecstore.sim.ledger.SimLedger;
import org.ecstore.sim.ledger.SteppedLedger;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;

/**
 * What is simulated: the nodes and the clients, right or with a planted bug.
 *
 * @param plan what is planted, for people
 * @param ledger the commit ledger, and the nodes' ways to it
 * @param coordination the coordination service, and the nodes' ways to it
 * @param engine the rules of the nodes' engines
 * @param lossIsNoticed whether a store that was emptied under its living node says so
 * @param hasReaders whether clients read changes too (rule 29); a run without them is as it was
 */
public record NodeMutation(
    String plan,
    NodeFactory nodes,
    ClientBehaviour behaviour,
    SimLedger.Factory ledger,
    SimCoordination.Factory coordination,
    WindowRules engine,
    boolean lossIsNoticed,
    boolean hasReaders) {
  /** What clients may get wrong, for planted bugs. */
  public enum ClientBehaviour {
    RIGHT,
    /** Retries a commit whose outcome it does not know under a new id, without asking (rule 5). */
    RETRIES_UNKNOWN,
    /** Sends a commit that got no reply to another node under the same id (rule 5). */
    RESENDS_COMMIT,
    /** Are right, and one more commits two things under one id, at two nodes (rule 5). */
    REUSES_IDS
  }

  /** With the simulator's own coordination. */
  public NodeMutation(
      String plan,
      NodeFactory nodes,
      ClientBehaviour behaviour,
      SimLedger.Factory ledger,
      WindowRules engine,
      boolean lossIsNoticed) {
    this(plan, nodes, behaviour, ledger, LaggingCoordination::new, engine, lossIsNoticed, false);
  }

  /** With stores that notice what they have lost. */
  public NodeMutation(
      String plan,
      NodeFactory nodes,
      ClientBehaviour behaviour,
      SimLedger.Factory ledger,
      WindowRules engine) {
    this(plan, nodes, behaviour, ledger, engine, true);
  }

  /** With the right way to the ledger. */
  public NodeMutation(String plan, NodeFactory nodes, ClientBehaviour behaviour) {
    this(plan, nodes, behaviour, SteppedLedger::new);
  }

  /** With the right engines. */
  public NodeMutation(
      String plan, NodeFactory nodes, ClientBehaviour behaviour, SimLedger.Factory ledger) {
    this(plan, nodes, behaviour, ledger, WindowRules.RIGHT);
  }

  /** ecStore as it is. */
  public static final NodeMutation RIGHT =
      new NodeMutation(
          "nothing",
          (self, settings, ports) -> new Node(self, settings, new NodeParts(), ports),
          ClientBehaviour.RIGHT);

  /** The same over other services. */
  public NodeMutation over(SimLedger.Factory ledger, SimCoordination.Factory coordination) {
    return new NodeMutation(
        plan, nodes, behaviour, ledger, coordination, engine, lossIsNoticed, hasReaders);
  }

  /** The same with other clients. */
  public NodeMutation withClients(ClientBehaviour other) {
    return new NodeMutation(
        plan, nodes, other, ledger, coordination, engine, lossIsNoticed, hasReaders);
  }

  /** The same with readers of changes among the clients. */
  public NodeMutation withReaders() {
    return new NodeMutation(
        plan, nodes, behaviour, ledger, coordination, engine, lossIsNoticed, true);
  }
}
