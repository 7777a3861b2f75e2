package org.ecstore.sim;

import java.util.Map;
import java.util.TreeMap;
import org.ecstore.id.Position;
import org.ecstore.sim.node.NodeMutation;

/** Bugs at the floors below which versions and outcomes go, which the simulator must find. */
public final class PlantedPruning implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "floor-told-before-durable", OnePart.sequencer(FloorToldEarly::new));
    PlantSource.add(all, "outcome-floor-one-too-high", OnePart.sequencer(OneTooHigh::new));
    PlantSource.add(
        all, "outcome-of-the-floor-is-forgotten", OnePart.sequencer(ForgetsOneMore::new));
    return all;
  }

  /** Against rule 14: nodes hear of a floor that the ledger may never have. */
  private static final class FloorToldEarly extends OnePart.Sequencing {
    FloorToldEarly(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Position toldFloor(Position appended) {
      return appended;
    }
  }

  /** Against rule 7: what begins at the floor counts as below it. */
  private static final class OneTooHigh extends OnePart.Sequencing {
    OneTooHigh(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Position outcomeFloor() {
      Position floor = super.outcomeFloor();
      return floor.equals(Position.ZERO) ? floor : floor.next();
    }
  }

  /** Against rule 7: one outcome more is forgotten than may be. */
  private static final class ForgetsOneMore extends OnePart.Sequencing {
    ForgetsOneMore(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Position nextOutcomeFloor(Position trim) {
      return super.nextOutcomeFloor(trim).next();
    }
  }
}
