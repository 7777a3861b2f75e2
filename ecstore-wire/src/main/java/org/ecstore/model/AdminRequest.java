package org.ecstore.model;

import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.control.ControlChange;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.objective.Objective;

/** What an operator wants of the steward. */
public sealed interface AdminRequest {
  /** About ranges and the nodes that have them. */
  sealed interface OfRanges extends AdminRequest {}

  /** About what applications are promised. */
  sealed interface OfObjectives extends AdminRequest {
    /** Which application's. */
    String application();

    /** When it was asked for, in milliseconds since 1970 by the clock of who asked. */
    long atMillis();
  }

  /**
   * A range is to become two.
   *
   * @param at the first key of the upper one; where its data is halved if absent
   */
  record Split(RangeId range, Optional<Bytes> at) implements OfRanges {}

  /** Two adjacent ranges are to become one; they may be named in any order. */
  record Merge(RangeId one, RangeId other) implements OfRanges {}

  /**
   * A copy of a range is to go to another node.
   *
   * @param from whose secondary copy; the primary's if absent
   */
  record Move(RangeId range, NodeId to, Optional<NodeId> from) implements OfRanges {}

  /** All copies are to go off a node, and it out of the tree. */
  record Drain(NodeId node) implements OfRanges {}

  /** Split, shift, move and merge ranges until nothing can be gained any more. */
  record Rebalance() implements OfRanges {}

  /** An application's objective becomes this one, instead of the one it has, if it has one. */
  record SetObjective(Objective objective, long atMillis) implements OfObjectives {
    @Override
    public String application() {
      return objective.application();
    }
  }

  /** An application is to have no objective any more. */
  record RemoveObjective(String application, long atMillis) implements OfObjectives {}

  /** About performance tables that the cluster goes by (decision 0079). */
  sealed interface OfTables extends AdminRequest {
    /** A name of a kept table. */
    String NAME_PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

    /** Which table, of {@link #NAME_PATTERN}. */
    String name();

    /** When it was asked for, in milliseconds since 1970 by the clock of who asked. */
    long atMillis();
  }

  /**
   * The controller goes by a table from then on, instead of the one of its name, if there is one.
   *
   * @param text of ecStore's own form; any text, which is looked at by who keeps it
   */
  record UseTable(String name, String text, long atMillis) implements OfTables {}

  /** The controller does not go by a table any more. */
  record RemoveTable(String name, long atMillis) implements OfTables {}

  /** About what the cluster does to keep what applications are promised. */
  sealed interface OfControl extends AdminRequest {}

  /**
   * The controller is to go so far, and no further: all of its settings, also those that who asks
   * did not mean to change.
   */
  record SetControl(ControlSettings settings) implements OfControl {}

  /** Some of how far the controller may go becomes another, and the rest stays as it is. */
  record ChangeControl(ControlChange change) implements OfControl {}

  /** An operator wants an action done that the controller has proposed, or does not. */
  record AnswerAction(long action, boolean isApproved) implements OfControl {}
}
