package org.ecstore.cluster.bookkeeper.bookie;

import org.apache.bookkeeper.bookie.SortedLedgerStorage;
import org.apache.bookkeeper.bookie.StateManager;
import org.jspecify.annotations.Nullable;

/**
 * A bookie's storage, which says that the bookie has stopped as soon as its storage has. BookKeeper
 * makes it by its name.
 *
 * <p>BookKeeper says so a moment later, after it has let go of the lock under which a bookie stops.
 * The end of its journal, though, makes a second thread that wants to stop it too; if that one gets
 * the lock in this moment it finds a bookie that seems to run, and dies with an exception of
 * executors that have ended already, in the log of every orderly end.
 */
public final class BookieStorage extends SortedLedgerStorage {
  private @Nullable StateManager state;

  /** For BookKeeper. */
  public BookieStorage() {}

  @Override
  public void setStateManager(StateManager manager) {
    super.setStateManager(manager);
    state = manager;
  }

  @Override
  public void shutdown() throws InterruptedException {
    try {
      super.shutdown();
    } finally {
      StateManager stopped = state;
      if (stopped != null) {
        stopped.close();
      }
    }
  }
}
