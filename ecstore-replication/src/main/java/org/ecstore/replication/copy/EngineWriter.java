package org.ecstore.replication.copy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * The one way into the engine for writes: in order, one call at a time, what comes meanwhile
 * gathered into one batch. A call that fails is made again until it succeeds, and what was called
 * after it waits: a metadata entry must never be durable before the rows it speaks of.
 *
 * <p>A store without room may take what deletes (decision 0108). So ahead of a call for which there
 * is no room go clears, and deletions of the metadata entries of copies that are gone:
 *
 * <ul>
 *   <li>Of some keys nothing goes ahead of what was called before: rows that are loaded, a clear,
 *       or metadata entries of a copy of these keys (rules W4, W6). A batch that deletes an entry
 *       and writes others of the same keys in its stead, as of a split, is not taken apart.
 *   <li>An entry that waits is not written any more once it is deleted behind it, unless it has
 *       passed its keys on to others.
 *   <li>Before a clear what was deleted is made durable: no entry speaks of rows that are gone.
 *   <li>Writes that wait are only in the engine's window. Of keys that are cleared behind them they
 *       are dropped.
 * </ul>
 *
 * <p>Rows that are loaded for a copy that is not wanted any more leave the queue.
 */
public class EngineWriter {
  private static final long RETRY_NANOS = 200_000_000L;

  /** How far writes reach is noted within this time, and no more often. */
  private static final long NOTE_NANOS = 100_000_000L;

  /** A clear takes as long as there is to delete: it is held up once it fails again and again. */
  private static final int CLEAR_FAILURES = 3;

  private static final int BATCH_WRITES_MAX = 4096;
  private static final long BATCH_BYTES_MAX = 8 << 20;

  private sealed interface Work {
    /** With {@code gone}, the copies whose metadata entries it deletes. */
    record Apply(
        List<VersionedWrite> writes,
        List<MetadataEntry> metadata,
        List<Copy> gone,
        List<Runnable> then)
        implements Work {}

    record Load(List<Row> rows, Loader loader) implements Work {}

    record Clear(KeyRange keys, Runnable then) implements Work {}

    record Sync(Runnable then) implements Work {}
  }

  /** Who has rows loaded. */
  public interface Loader {
    /** Whether they are wanted; never again once they are not. */
    boolean isWanted();

    /** They are in the store, or they were not wanted any more. */
    void loaded();

    /** There is no room for them. Unless they are not wanted any more, it is tried again. */
    void refused();
  }

  /** What goes ahead, and what follows when it is done. */
  private record Ahead(Work work, Runnable done) {}

  /** Metadata entries that a batch deletes. */
  private record Deletions(Work.Apply batch, List<MetadataEntry> entries) {
    /** They are deleted: what has come to the batch meanwhile stays. */
    void done() {
      Set<MetadataEntry> left = new HashSet<>(entries);
      batch.metadata().removeIf(left::remove);
    }
  }

  /** The keys of some calls, as intervals of which no two overlap. */
  private static final class Keys {
    private final NavigableMap<Bytes, KeyRange> byStart = new TreeMap<>();

    static Keys of(List<KeyRange> some) {
      Keys keys = new Keys();
      some.forEach(keys::add);
      return keys;
    }

    void add(KeyRange more) {
      List<KeyRange> joined = new ArrayList<>();
      joined.add(more);
      for (Optional<KeyRange> one = first(more); one.isPresent(); one = first(more)) {
        byStart.remove(one.get().start());
        joined.add(one.get());
      }
      KeyRange.merged(joined).forEach(one -> byStart.put(one.start(), one));
    }

    /** The first interval that overlaps some keys. */
    Optional<KeyRange> first(KeyRange keys) {
      return Optional.ofNullable(byStart.floorEntry(keys.start()))
          .filter(one -> one.getValue().overlaps(keys))
          .or(() -> Optional.ofNullable(byStart.higherEntry(keys.start())))
          .map(Map.Entry::getValue)
          .filter(keys::overlaps);
    }
  }

  private final NodeContext context;
  private final Deque<Work> queue = new ArrayDeque<>();
  private boolean busy;
  private boolean clearing;

  /** Calls that have succeeded. */
  private long done;

  /** How often the call under way has failed, without those that went ahead of it. */
  private int failures;

  /** Whether metadata entries were deleted since the last sync. */
  private boolean hasDeleted;

  private boolean flushAsked;
  private long waitingWrites;

  /** Keys and values of the last batch in the queue, if the last one is a batch. */
  private long lastBytes;

  private long written;
  private Position newest = Position.ZERO;
  private Position noted = Position.ZERO;
  private long notes;
  private long noteNanos;
  private boolean noteAsked;
  private Optional<String> trouble = Optional.empty();

  public EngineWriter(NodeContext context) {
    this.context = context;
    this.noteNanos = context.nanos() - NOTE_NANOS;
  }

  /** Takes up what a restarted engine has noted. Called once, before anything is written. */
  public void load(Holdings held) {
    noted = held.through();
  }

  /** Applies writes, and metadata with values; {@code then} runs when they are readable. */
  public void apply(List<VersionedWrite> writes, List<MetadataEntry> metadata, Runnable then) {
    apply(writes, metadata, List.of(), then);
  }

  /** Deletes the metadata entries of copies that are gone, and writes others in the same step. */
  void replace(List<Copy> gone, List<MetadataEntry> by) {
    List<MetadataEntry> metadata = new ArrayList<>();
    for (Copy copy : gone) {
      metadata.add(new MetadataEntry(CopyMetadata.name(copy.id()), Optional.empty()));
    }
    metadata.addAll(by);
    apply(List.of(), metadata, gone, () -> {});
  }

  private void apply(
      List<VersionedWrite> writes, List<MetadataEntry> metadata, List<Copy> gone, Runnable then) {
    waitingWrites += writes.size();
    written += writes.size();
    long bytes = 0;
    for (VersionedWrite write : writes) {
      newest = Position.max(newest, write.version());
      bytes += write.bytes();
    }
    if (queue.peekLast() instanceof Work.Apply last
        && last.writes().size() + writes.size() <= BATCH_WRITES_MAX
        && lastBytes + bytes <= BATCH_BYTES_MAX) {
      lastBytes += bytes;
      last.writes().addAll(writes);
      last.metadata().addAll(metadata);
      last.gone().addAll(gone);
      last.then().add(then);
    } else {
      List<Runnable> continuations = new ArrayList<>();
      continuations.add(then);
      lastBytes = bytes;
      queue.add(
          new Work.Apply(
              new ArrayList<>(writes),
              new ArrayList<>(metadata),
              new ArrayList<>(gone),
              continuations));
    }
    next();
  }

  /** Puts rows of a transfer into the store, after everything before. */
  public void load(List<Row> rows, Loader loader) {
    queue.add(new Work.Load(rows, loader));
    next();
  }

  /** Deletes all versions in an interval, after everything before. */
  public void clear(KeyRange keys, Runnable then) {
    queue.add(new Work.Clear(keys, then));
    next();
  }

  /** Runs {@code then} when everything before is durable. */
  public void sync(Runnable then) {
    queue.add(new Work.Sync(then));
    next();
  }

  /** Writes handed in that are not readable yet. */
  public long waitingWrites() {
    return waitingWrites;
  }

  /** Writes handed in since this process began. */
  long written() {
    return written;
  }

  /** The highest version among them. */
  Position newest() {
    return newest;
  }

  /** Why writes do not go through at present, if they do not. */
  public Optional<String> trouble() {
    return trouble;
  }

  /** Calls that have succeeded, of whatever kind. */
  long done() {
    return done;
  }

  /** Whether a call is under way that may be so for ever, as its store does not answer. */
  boolean isHeldUp() {
    return busy && (!clearing || failures >= CLEAR_FAILURES);
  }

  private void next() {
    if (!busy && !flushAsked) {
      flushAsked = true;
      context.atFlush(
          () -> {
            flushAsked = false;
            submit();
          });
    }
  }

  private void submit() {
    Work head = queue.peekFirst();
    if (busy || head == null) {
      return;
    }
    busy = true;
    queue.removeFirst();
    begin(head);
  }

  private void begin(Work work) {
    if (work instanceof Work.Load(_, var loader) && !loader.isWanted()) {
      // If something was refused it was this, which is not to be written any more.
      trouble = Optional.empty();
      passed(work);
    } else {
      run(work, result -> finished(work, result));
    }
  }

  private void run(Work work, Consumer<EngineResult> then) {
    clearing = work instanceof Work.Clear;
    Engine engine = context.ports().engine();
    switch (work) {
      case Work.Apply apply -> context.engine(token -> engine.apply(token, batch(apply)), then);
      case Work.Load load -> context.engine(token -> engine.load(token, load.rows()), then);
      case Work.Clear clear -> context.engine(token -> engine.clear(token, clear.keys()), then);
      case Work.Sync _ -> context.engine(engine::sync, then);
    }
  }

  private static EngineBatch batch(Work.Apply apply) {
    return new EngineBatch(apply.writes(), apply.metadata());
  }

  /**
   * Notes in the engine how far writes reach by now, unless it is noted: the ledger must be found
   * to reach as far. Not with each batch: for a store on a server that would be a call each.
   */
  void note() {
    if (newest.isAfter(noted)) {
      noted = newest;
      noteNanos = context.nanos();
      notes++;
      apply(List.of(), List.of(Holdings.writtenEntry(newest)), () -> {});
    }
  }

  /** How often that was noted. */
  long notes() {
    return notes;
  }

  private void noteSoon() {
    if (noteAsked || newest.isAtOrBelow(noted)) {
      return;
    }
    long wait = noteNanos + NOTE_NANOS - context.nanos();
    if (wait <= 0) {
      note();
      return;
    }
    noteAsked = true;
    context.after(
        wait,
        () -> {
          noteAsked = false;
          note();
        });
  }

  private void finished(Work work, EngineResult result) {
    if (result instanceof EngineResult.Failed failed) {
      refused(work, failed);
      return;
    }
    if (trouble.isPresent()) {
      context.ports().log().info("engine takes writes again");
      trouble = Optional.empty();
    }
    done++;
    remember(work);
    passed(work);
  }

  private void passed(Work work) {
    busy = false;
    failures = 0;
    switch (work) {
      case Work.Apply apply -> {
        waitingWrites -= apply.writes().size();
        apply.then().forEach(Runnable::run);
        noteSoon();
      }
      case Work.Load load -> load.loader().loaded();
      case Work.Clear clear -> clear.then().run();
      case Work.Sync sync -> sync.then().run();
    }
    if (!queue.isEmpty()) {
      next();
    }
  }

  /** A sync makes durable all that was deleted before it. */
  private void remember(Work work) {
    if (work instanceof Work.Apply apply) {
      hasDeleted |= apply.metadata().stream().anyMatch(entry -> entry.value().isEmpty());
    } else if (work instanceof Work.Sync) {
      hasDeleted = false;
    }
  }

  private void refused(Work work, EngineResult.Failed failed) {
    if (trouble.isEmpty()) {
      context.ports().log().warn("engine refuses writes, will try again: " + failed.detail());
    }
    trouble = Optional.of(failed.detail());
    failures++;
    if (failed.outOfSpace()) {
      if (work instanceof Work.Load(_, var loader)) {
        loader.refused();
      }
      makeRoom(work, () -> again(work));
    } else {
      again(work);
    }
  }

  private void again(Work work) {
    context.after(RETRY_NANOS, () -> begin(work));
  }

  /**
   * Does what may go ahead of a call for which there is no room, one by one, and then makes that
   * call again.
   *
   * @param none runs if there is nothing of the kind
   */
  private void makeRoom(Work refused, Runnable none) {
    List<Ahead> found = goesAhead() ? ahead(refused) : List.of();
    if (found.isEmpty()) {
      none.run();
    } else {
      goAhead(refused, found.iterator());
    }
  }

  /** What comes meanwhile is behind all of it, and is looked at after the last. */
  private void goAhead(Work refused, Iterator<Ahead> rest) {
    if (!rest.hasNext()) {
      makeRoom(refused, () -> begin(refused));
      return;
    }
    Ahead ahead = rest.next();
    run(
        ahead.work(),
        result -> {
          if (result instanceof EngineResult.Failed) {
            again(refused);
            return;
          }
          done++;
          remember(ahead.work());
          ahead.done().run();
          goAhead(refused, rest);
        });
  }

  /** Decision 0108: whether what makes room goes ahead of that for which there is none. */
  @RuleSeam(decisions = 108)
  protected boolean goesAhead() {
    return true;
  }

  /** Rules W4 and W6: whether something before is about some of the same keys. */
  @RuleSeam(decisions = 108)
  protected boolean isAbout(KeyRange before, KeyRange keys) {
    return before.overlaps(keys);
  }

  /** Rule W4: whether a clear waits until the deletions before it are durable. */
  @RuleSeam(decisions = 108)
  protected boolean mustSync(boolean deletedSince) {
    return deletedSince;
  }

  private boolean isFree(KeyRange keys, Keys before) {
    return before.first(keys).filter(one -> isAbout(one, keys)).isEmpty();
  }

  /**
   * What goes ahead next of a call that is refused: deletions, if there are any, by themselves; or
   * all clears that are free.
   */
  private List<Ahead> ahead(Work refused) {
    List<Work> all = new ArrayList<>();
    all.add(refused);
    all.addAll(queue);
    withdraw(all);
    Keys before = new Keys();
    List<Deletions> deletions = new ArrayList<>();
    List<Ahead> clears = new ArrayList<>();
    for (Work work : all) {
      switch (work) {
        case Work.Apply apply -> pass(apply, before, deletions);
        case Work.Load(var rows, var loader) -> {
          if (loader.isWanted() && !rows.isEmpty()) {
            before.add(KeyRange.spanning(rows.stream().map(Row::key).toList()));
          }
        }
        case Work.Clear clear -> {
          if (deletions.isEmpty() && !work.equals(refused) && isFree(clear.keys(), before)) {
            clears.add(new Ahead(clear, () -> cleared(refused, clear)));
          }
          before.add(clear.keys());
        }
        case Work.Sync _ -> {}
      }
    }
    if (!deletions.isEmpty()) {
      return List.of(deleting(deletions));
    }
    if (!clears.isEmpty() && mustSync(hasDeleted)) {
      clears.addFirst(new Ahead(new Work.Sync(() -> {}), () -> {}));
    }
    return clears;
  }

  /** Takes out entries that are written here and deleted behind it, but for those passed on. */
  private void withdraw(List<Work> all) {
    Set<Bytes> gone = new TreeSet<>();
    for (Work work : all.reversed()) {
      if (work instanceof Work.Apply apply && !apply.metadata().isEmpty()) {
        Map<Bytes, MetadataEntry> last = new LinkedHashMap<>();
        apply.metadata().forEach(entry -> last.put(entry.name(), entry));
        last.values().removeIf(one -> one.value().isPresent() && gone.contains(one.name()));
        apply.metadata().clear();
        apply.metadata().addAll(last.values());
        Keys written = Keys.of(written(apply));
        Map<Bytes, KeyRange> deleted = deleted(apply);
        for (MetadataEntry entry : apply.metadata()) {
          if (entry.value().isEmpty() && isFree(keys(entry, deleted), written)) {
            gone.add(entry.name());
          } else {
            gone.remove(entry.name());
          }
        }
      }
    }
  }

  /** The keys of the copies that have entries written by a batch. */
  private static List<KeyRange> written(Work.Apply apply) {
    return apply.metadata().stream()
        .filter(CopyMetadata::isCopy)
        .map(entry -> CopyMetadata.of(entry.value().orElseThrow()).keys())
        .toList();
  }

  /** The keys of the copies that have their entries deleted by a batch, by name. */
  private static Map<Bytes, KeyRange> deleted(Work.Apply apply) {
    Map<Bytes, KeyRange> keys = new TreeMap<>();
    apply.gone().forEach(copy -> keys.putIfAbsent(CopyMetadata.name(copy.id()), copy.keys()));
    return keys;
  }

  private static KeyRange keys(MetadataEntry deletion, Map<Bytes, KeyRange> deleted) {
    return deleted.getOrDefault(deletion.name(), KeyRange.ALL);
  }

  private void pass(Work.Apply apply, Keys before, List<Deletions> deletions) {
    written(apply).forEach(before::add);
    Map<Bytes, KeyRange> deleted = deleted(apply);
    List<MetadataEntry> free = new ArrayList<>();
    List<KeyRange> stays = new ArrayList<>();
    for (MetadataEntry entry : apply.metadata()) {
      if (entry.value().isEmpty()) {
        KeyRange keys = keys(entry, deleted);
        if (isFree(keys, before)) {
          free.add(entry);
        } else {
          stays.add(keys);
        }
      }
    }
    stays.forEach(before::add);
    if (!free.isEmpty()) {
      deletions.add(new Deletions(apply, free));
    }
  }

  private static Ahead deleting(List<Deletions> deletions) {
    List<MetadataEntry> all = deletions.stream().flatMap(some -> some.entries().stream()).toList();
    return new Ahead(
        new Work.Apply(List.of(), all, List.of(), List.of()),
        () -> deletions.forEach(Deletions::done));
  }

  private void cleared(Work refused, Work.Clear clear) {
    drop(refused, clear.keys());
    Iterator<Work> waiting = queue.iterator();
    boolean isThere = false;
    while (!isThere && waiting.hasNext()) {
      Work work = waiting.next();
      isThere = work.equals(clear);
      if (isThere) {
        waiting.remove();
      } else {
        drop(work, clear.keys());
      }
    }
    clear.then().run();
  }

  /** Drops writes that wait and are cleared behind it. */
  private void drop(Work work, KeyRange keys) {
    if (work instanceof Work.Apply apply) {
      int all = apply.writes().size();
      apply.writes().removeIf(write -> keys.contains(write.key()));
      waitingWrites -= all - apply.writes().size();
    }
  }
}
