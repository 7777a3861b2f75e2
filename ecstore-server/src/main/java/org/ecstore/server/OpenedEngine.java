package org.ecstore.server;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ecstore.check.Check;
import org.ecstore.core.port.Event;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.OpenEngine;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.id.NodeId;
import org.ecstore.replication.copy.Holdings;
import org.ecstore.server.coordination.LocalCoordination;
import org.ecstore.server.ledger.LedgerClaim;
import org.ecstore.server.ledger.LedgerExtent;
import org.ecstore.server.parts.MixedPartsException;
import org.jspecify.annotations.Nullable;

/**
 * An engine that is open before its node runs, so that what it holds can be held against the ledger
 * and coordination first. For one thread.
 */
public final class OpenedEngine implements AutoCloseable {
  private final NodeId node;
  private final Path directory;
  private final OpenEngine engine;
  private final Holdings holdings;
  private volatile @Nullable Consumer<Event> sink;
  private volatile BooleanSupplier room = () -> true;
  private boolean begun;

  private OpenedEngine(NodeId node, Path directory, EngineSettings settings) {
    this.node = node;
    this.directory = directory;
    this.engine =
        EngineKinds.named(settings.kind())
            .open(directory, settings, this::deliver, () -> room.getAsBoolean());
    try {
      this.holdings = Holdings.of(engine.metadataNow());
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
  }

  /**
   * Opens an engine.
   *
   * @throws org.ecstore.engines.EngineOpenException if the directory is in use or unreadable
   */
  public static OpenedEngine open(NodeId node, Path directory, EngineSettings settings) {
    return new OpenedEngine(node, directory, settings);
  }

  private void deliver(Event event) {
    Consumer<Event> told = sink;
    Check.that(told != null, "an engine is asked only once its node runs");
    if (told != null) {
      told.accept(event);
    }
  }

  /** What it holds. */
  public Holdings holdings() {
    return holdings;
  }

  /** What it has from the ledger. */
  public LedgerClaim claim() {
    return new LedgerClaim(holdings.through(), "the engine in " + directory);
  }

  /**
   * Checks that coordination knows every incarnation that the engine was used in.
   *
   * @throws MixedPartsException if it does not: it would give one twice
   */
  public void checkAgainst(LocalCoordination coordination, Path where) throws MixedPartsException {
    long known = coordination.incarnationFound(node);
    if (holdings.incarnation() > known) {
      throw new MixedPartsException(
          ("coordination in %s is older than the engine in %s: it knows node %d up to"
                  + " incarnation %d, the engine was used in %d")
              .formatted(where, directory, node.value(), known, holdings.incarnation()));
    }
  }

  /**
   * Checks that the ledger still has what the engine lacks, where there is no other copy.
   *
   * @throws MixedPartsException if it is trimmed past it
   */
  public void checkAlone(LedgerExtent ledger) throws MixedPartsException {
    long closed = holdings.leastFolded().map(least -> least.value()).orElse(0L);
    if (closed < ledger.trimmed().value()) {
      throw new MixedPartsException(
          ("the engine in %s ends at position %d, but the ledger begins after position %d:"
                  + " the engine is older, or emptied, and there is no other copy")
              .formatted(directory, closed, ledger.trimmed().value()));
    }
  }

  /**
   * Its node runs from now on, gets the results, and closes it.
   *
   * @param hasRoom whether there is room for another result with rows
   */
  OpenEngine begin(Consumer<Event> results, BooleanSupplier hasRoom) {
    sink = results;
    room = hasRoom;
    begun = true;
    return engine;
  }

  /** Closes it, unless it is its node's by now. */
  @Override
  public void close() {
    if (!begun) {
      begun = true;
      engine.close();
    }
  }
}
