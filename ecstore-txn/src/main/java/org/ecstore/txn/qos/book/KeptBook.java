package org.ecstore.txn.qos.book;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;

/**
 * One value in coordination, as the node that leads knows it, and changes it: by compare-and-set,
 * one change at a time. A change is done when coordination has taken it; where that is not known
 * the value is read again.
 *
 * <p>Who comes to lead reads what there is. A predecessor whose last change comes late makes the
 * next one of this book fail, which is then read again: no change is lost.
 *
 * @param <B> what is kept; immutable
 */
public final class KeptBook<B> {
  /** Of the value. Coordination takes four times as much. */
  public static final int BYTES_MAX = 256 << 10;

  /** How much longer to wait where the value cannot be read, which people have to mend. */
  private static final int UNREADABLE_WAITS = 100;

  /** How what is kept is written. */
  public interface Form<B> {
    /** Where nothing is kept yet. */
    B empty();

    Bytes encode(B book);

    /**
     * What is kept.
     *
     * @throws MalformedMessageException if it is of a release that is not known here, or damaged
     */
    B decode(Bytes bytes);
  }

  /** Who uses it. */
  public interface Listener {
    /** The value is known, and may be changed. */
    void ready();

    /** It is not known yet: coordination does not answer, or another has changed it. */
    void waits();

    /** It cannot be read, and is left as it is. */
    void unreadable(String why);

    /** Whether coordination has a change for certain. */
    boolean isTaken(CoordinationResult result);
  }

  private record Loaded<B>(long version, B book) {}

  private final NodeContext context;
  private final String key;
  private final Form<B> form;
  private final BooleanSupplier leads;
  private final long retryNanos;
  private final Listener listener;
  private Optional<Loaded<B>> loaded = Optional.empty();
  private boolean busy;
  private long term;

  /**
   * Of nothing yet.
   *
   * @param key under which it is kept
   * @param leads whether this node leads
   */
  public KeptBook(
      NodeContext context,
      String key,
      Form<B> form,
      BooleanSupplier leads,
      long retryNanos,
      Listener listener) {
    this.context = context;
    this.key = key;
    this.form = form;
    this.leads = leads;
    this.retryNanos = retryNanos;
    this.listener = listener;
  }

  /** This node has come to lead: what was under way here is over. */
  public void start() {
    forget();
    load();
  }

  /** As {@link #start}, without reading it yet. */
  public void forget() {
    term++;
    loaded = Optional.empty();
    busy = false;
  }

  /** Coordination says that the value is another. */
  public void changed() {
    if (!busy && leads.getAsBoolean()) {
      load();
    }
  }

  /** What is kept; absent while that is not known here. */
  public Optional<B> book() {
    return leads.getAsBoolean() ? loaded.map(Loaded::book) : Optional.empty();
  }

  /** Its version in coordination, which only grows; 0 while it is not known. */
  public long version() {
    return loaded.map(Loaded::version).orElse(0L);
  }

  /** Whether it is known, and no change of it is under way. */
  public boolean isReady() {
    return !busy && book().isPresent();
  }

  private void load() {
    busy = true;
    loaded = Optional.empty();
    long mine = term;
    context.coordination(
        token -> context.ports().coordination().get(token, key),
        result -> {
          if (mine != term || !leads.getAsBoolean()) {
            return;
          }
          busy = false;
          if (result instanceof CoordinationResult.Stored stored) {
            take(stored);
          } else {
            retry(retryNanos);
          }
        });
  }

  private void retry(long afterNanos) {
    busy = true;
    long mine = term;
    context.after(
        afterNanos,
        () -> {
          if (mine == term && leads.getAsBoolean()) {
            load();
          }
        });
    listener.waits();
  }

  private void take(CoordinationResult.Stored stored) {
    try {
      B book = stored.value().map(form::decode).orElseGet(form::empty);
      loaded = Optional.of(new Loaded<>(stored.version(), book));
      context.ports().coordination().watch(key);
      listener.ready();
    } catch (MalformedMessageException e) {
      String why = e.getMessage();
      listener.unreadable(why == null ? "it is damaged" : why);
      retry(retryNanos * UNREADABLE_WAITS);
    }
  }

  /** Whether a value is one that can be kept. */
  public boolean fits(B book) {
    return form.encode(book).length() <= BYTES_MAX;
  }

  /**
   * Reads the value afresh, and then does something if it is as it was known. This is for what is
   * done outside of coordination, where no compare-and-set fails for a node that leads no more and
   * has not heard of it. It narrows the time in which such a node acts to that of a read, and does
   * not end it: what is done has to be harmless when it is told twice.
   *
   * @param confirmed run if no other has changed it meanwhile; not at all, and nothing else
   *     happens, if another has, or while coordination does not answer
   */
  public void confirm(Runnable confirmed) {
    long known = version();
    long mine = term;
    context.coordination(
        token -> context.ports().coordination().get(token, key),
        result -> {
          boolean isSame =
              result instanceof CoordinationResult.Stored stored && stored.version() == known;
          if (isSame && mine == term && isReady() && version() == known) {
            confirmed.run();
          }
        });
  }

  /**
   * Puts another value in place of what is known here, which must be ready.
   *
   * @param taken run when coordination has it for certain
   */
  public void swap(B after, Runnable taken) {
    long before = version();
    Bytes value = form.encode(after);
    busy = true;
    long mine = term;
    context.coordination(
        token -> context.ports().coordination().compareAndSet(token, key, before, value),
        result -> {
          if (mine != term || !leads.getAsBoolean()) {
            return;
          }
          busy = false;
          boolean isTaken = listener.isTaken(result);
          if (result instanceof CoordinationResult.Swapped swapped) {
            loaded = Optional.of(new Loaded<>(swapped.version(), after));
            context.ports().coordination().watch(key);
          }
          if (isTaken) {
            taken.run();
          }
          if (result instanceof CoordinationResult.Swapped) {
            if (!busy) {
              listener.ready();
            }
          } else {
            // Another value is there, or it is not known which one: it says what was done.
            retry(retryNanos);
          }
        });
  }
}
