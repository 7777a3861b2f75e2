package org.ecstore.sim;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.engines.window.WindowRules;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;

/** Bugs of the window of versions and of what is noted of it (rules W1 to W6). */
public final class PlantedWindows implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "note-has-closed", OnePart.table(NoteHasClosed::new));
    PlantSource.add(all, "fold-before-base-durable", OnePart.pruner(FoldsBeforeBaseDurable::new));
    PlantSource.add(
        all, "clear-before-note-deletion-durable", OnePart.table(ClearsBeforeNotesGo::new));
    PlantSource.add(all, "note-has-base", OnePart.table(NoteHasBase::new));
    add(all, "undo-without-tombstones", new ForgetsAbsence());
    add(all, "one-fold-position-for-all-copies", new OneFoldPosition());
    PlantSource.add(all, "merged-copy-folds-to-its-base", OnePart.pruner(FoldsToBase::new));
    PlantSource.add(all, "built-noted-before-rows-are-durable", new NotesBeforeRows());
    PlantSource.add(
        all,
        "first-fold-below-durable-base",
        OnePart.pruner(FoldsBelowBase::new),
        new FoldsBehind());
    PlantSource.add(
        all,
        "newest-while-folding",
        OnePart.participant(VotesBelowBase::new),
        new VotesBelowKept());
    PlantSource.add(all, "folds-wait-for-who-waits-for-them", OnePart.pruner(FoldsWait::new));
    add(all, "scan-looks-at-window-after-store", new LooksAfterStore());
    add(all, "operation-taken-in-twice", new AppliesAgain());
    add(all, "operation-loses-its-base", new KeepsNoBase());
    return all;
  }

  private static void add(Map<String, NodeMutation> all, String name, WindowRules rules) {
    NodeMutation right = NodeMutation.RIGHT;
    all.put(name, new NodeMutation(name, right.nodes(), right.behaviour(), right.ledger(), rules));
  }

  /** Against W3: the note of a copy speaks of what is only in the window. */
  private static final class NoteHasClosed extends OnePart.Table {
    NoteHasClosed(OnePart.TableParts parts) {
      super(parts);
    }

    @Override
    protected Position noted(Copy copy) {
      return closed(copy);
    }
  }

  /** Against W1: rows are as of a position below which a restart may answer. */
  private static final class FoldsBeforeBaseDurable extends OnePart.Folding {
    FoldsBeforeBaseDurable(OnePart.PrunerParts parts) {
      super(parts);
    }

    @Override
    protected void persist(Runnable then) {
      then.run();
    }

    @Override
    protected Position through(Copy copy) {
      return copy.rows();
    }
  }

  /** Against W4: a crash leaves a note that speaks of rows that are gone. */
  private static final class ClearsBeforeNotesGo extends OnePart.Table {
    ClearsBeforeNotesGo(OnePart.TableParts parts) {
      super(parts);
    }

    @Override
    protected void clear(List<KeyRange> gone) {
      gone.forEach(keys -> parts.writer().clear(keys, () -> {}));
    }
  }

  /** Against W1: the note of a copy speaks of rows as if they were as of its base. */
  private static final class NoteHasBase extends OnePart.Table {
    NoteHasBase(OnePart.TableParts parts) {
      super(parts);
    }

    @Override
    protected Position notedBase(Copy copy) {
      return copy.base();
    }
  }

  /** Against W1: an engine that answers whatever is asked for, with what it has left. */
  static final class AnswersBelowKept extends WindowRules {
    @Override
    protected long readableFrom(long kept) {
      return 0;
    }
  }

  /** Against W1: a vote rests on what the window has left, whatever has left it. */
  static class VotesBelowBase extends OnePart.Participating {
    VotesBelowBase(OnePart.ParticipantParts parts) {
      super(parts);
    }

    @Override
    protected boolean isBelowBase(Copy copy, Position snapshot) {
      return false;
    }
  }

  /** Against W1: an engine that says of any position what it knows of what came after. */
  static final class VotesBelowKept extends WindowRules {
    @Override
    protected long votableFrom(long kept) {
      return 0;
    }
  }

  /**
   * Against W1: a node folds some way only, also after a crash that has left rows as of more, and
   * an engine lets it. What was taken into such a row is taken in again (decision 0087).
   */
  private static final class FoldsBelowBase extends OnePart.Folding {
    FoldsBelowBase(OnePart.PrunerParts parts) {
      super(parts);
    }

    @Override
    protected Position through(Copy copy) {
      long folded = copy.folded().value();
      long most = Math.min(super.through(copy).value(), parts.copies().closed(copy).value());
      long few = Math.max(0, most - folded) / 4;
      return new Position(parts.context().ports().random().nextBoolean() ? most : folded + few);
    }
  }

  /** Against W1 and W5: older rows take the place of newer ones, which are taken for older. */
  private static final class FoldsBehind extends WindowRules {
    @Override
    protected boolean isBehind(long through, long folding) {
      return false;
    }

    @Override
    protected boolean isAbove(Position row, Position at) {
      return false;
    }
  }

  /** Against W1: what one copy has folded counts for all copies of its node. */
  private static final class OneFoldPosition extends WindowRules {
    @Override
    protected KeyRange reach(KeyRange folded) {
      return KeyRange.ALL;
    }
  }

  /** Against W1, and W5 which would notice: what was folded since is answered with. */
  static final class ReturnsRowsAbove extends WindowRules {
    @Override
    protected long readableFrom(long kept) {
      return 0;
    }

    @Override
    protected boolean isAbove(Position row, Position at) {
      return false;
    }
  }

  /** Against W9 and decision 0093: who reads the ledger waits for room, and folds wait for him. */
  private static final class FoldsWait extends OnePart.Folding {
    FoldsWait(OnePart.PrunerParts parts) {
      super(parts);
    }

    @Override
    protected boolean leavesRoom() {
      return true;
    }
  }

  /** Against W1: what is not there yet of a merged copy counts as folded, and is dropped. */
  private static final class FoldsToBase extends OnePart.Folding {
    FoldsToBase(OnePart.PrunerParts parts) {
      super(parts);
    }

    @Override
    protected boolean hasAll(Copy copy, Position through) {
      return true;
    }
  }

  /** A builder that has been told already that its rows are there. */
  private record LoadedBefore(EngineWriter.Loader loader) implements EngineWriter.Loader {
    @Override
    public boolean isWanted() {
      return true;
    }

    @Override
    public void loaded() {}

    @Override
    public void refused() {
      loader.refused();
    }
  }

  /** Against W4 and W6: a crash leaves the note of a built copy, and not all of its rows. */
  private static final class NotesBeforeRows extends NodeParts {
    @Override
    public CopyBuilder builder(
        NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
      return new CopyBuilder(context, copies, writer, settings.copyFetches()) {
        @Override
        protected void load(List<Row> rows, EngineWriter.Loader loader) {
          loader.loaded();
          super.load(rows, new LoadedBefore(loader));
        }
      };
    }
  }

  /** Against W5: a reader finds in neither what went from the one to the other meanwhile. */
  private static final class LooksAfterStore extends WindowRules {
    @Override
    protected void afterReaders(Consumer<Runnable> readers, Runnable then) {
      then.run();
    }
  }

  /** Against rule 28: a replay applies to a row what the row has in it. */
  private static final class AppliesAgain extends WindowRules {
    @Override
    protected boolean isTakenIn(long rowVersion, long version) {
      return false;
    }
  }

  /** Against rule 28: a fold ahead overwrites what operations that are read have to work on. */
  private static final class KeepsNoBase extends WindowRules {
    @Override
    protected boolean hasBase(boolean isThere, boolean isWithinWindow) {
      return isThere;
    }
  }

  /** Against W8: what was folded ahead of its readers is found by them. */
  private static final class ForgetsAbsence extends WindowRules {
    @Override
    protected Optional<VersionedWrite> before(Bytes key, Optional<Row> row) {
      return row.flatMap(found -> super.before(key, row));
    }
  }
}
