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
import org.ecstore.replication.copy.CopyPersistence;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.Pruner;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;

/** Bugs of the window of versions and of what is noted of it (rules W1 to W6). */
public final class PlantedWindows implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "note-has-closed", new NoteHasClosed());
    PlantSource.add(all, "fold-before-base-durable", new FoldsBeforeBaseDurable());
    PlantSource.add(all, "clear-before-note-deletion-durable", new ClearsBeforeNotesGo());
    PlantSource.add(all, "note-has-base", new NoteHasBase());
    add(all, "undo-without-tombstones", new ForgetsAbsence());
    add(all, "fold-behind-one-before", new FoldsBehind());
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
  private static final class NoteHasClosed extends NodeParts {
    @Override
    public CopyTable copies(
        NodeContext context,
        LedgerView ledgerView,
        EngineWriter writer,
        WriteHolds holds,
        CopyTable.Listener listener) {
      return new CopyTable(context, ledgerView, writer, holds, listener) {
        @Override
        protected Position noted(Copy copy) {
          return closed(copy);
        }
      };
    }
  }

  /** Against W1: rows are as of a position below which a restart may answer. */
  private static final class FoldsBeforeBaseDurable extends NodeParts {
    @Override
    public Pruner pruner(
        NodeContext context,
        CopyTable copies,
        CopyPersistence persistence,
        EngineWriter writer,
        NodeSettings settings) {
      return new Pruner(context, copies, persistence, settings.folds()) {
        @Override
        protected void persist(Runnable then) {
          then.run();
        }

        @Override
        protected Position through(Copy copy) {
          return copy.rows();
        }
      };
    }
  }

  /** Against W4: a crash leaves a note that speaks of rows that are gone. */
  private static final class ClearsBeforeNotesGo extends NodeParts {
    @Override
    public CopyTable copies(
        NodeContext context,
        LedgerView ledgerView,
        EngineWriter writer,
        WriteHolds holds,
        CopyTable.Listener listener) {
      return new CopyTable(context, ledgerView, writer, holds, listener) {
        @Override
        protected void clear(List<KeyRange> gone) {
          gone.forEach(keys -> writer.clear(keys, () -> {}));
        }
      };
    }
  }

  /** Against W1: the note of a copy speaks of rows as if they were as of its base. */
  private static final class NoteHasBase extends NodeParts {
    @Override
    public CopyTable copies(
        NodeContext context,
        LedgerView ledgerView,
        EngineWriter writer,
        WriteHolds holds,
        CopyTable.Listener listener) {
      return new CopyTable(context, ledgerView, writer, holds, listener) {
        @Override
        protected Position notedBase(Copy copy) {
          return copy.base();
        }
      };
    }
  }

  /** Against W1: an engine that answers whatever is asked for, with what it has left. */
  static final class AnswersBelowKept extends WindowRules {
    @Override
    protected long readableFrom(long kept) {
      return 0;
    }
  }

  /** Against W1: older rows take the place of newer ones. */
  private static final class FoldsBehind extends WindowRules {
    @Override
    protected boolean isBehind(long through, long folding) {
      return false;
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
