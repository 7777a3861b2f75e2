package org.ecstore.client;

import java.util.Optional;
import java.util.concurrent.Flow;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.token.ChangeToken;
import org.ecstore.id.Position;

/**
 * The changes of a table: every commit that wrote to it, in order, each once (rule 29). Immutable:
 * each method that changes something gives other changes.
 *
 * <pre>{@code
 * try (ChangeReader<User> reader = store.changes(USERS).from(token).open()) {
 *   while (running) {
 *     reader.next(Duration.ofSeconds(10)).ifPresent(commit -> mail(commit.changes()));
 *   }
 * }
 * }</pre>
 *
 * <p>Nodes keep changes for {@code changes.kept}, which is nothing beyond what they need themselves
 * unless it is configured; a reader that comes too late is told so by a {@link
 * org.ecstore.client.error.ChangesLostException}.
 *
 * @param <V> the type of the values
 */
public final class Changes<V> {
  /** The longest name of a reader, in characters. */
  public static final int NAME_LENGTH_MAX = 255;

  private final OpenStore store;
  private final TypedSession session;
  private final EcStoreOptions options;
  private final Table<V> table;
  private final Optional<String> name;
  private final Optional<Position> from;
  private final boolean fromNow;
  private final boolean withBefore;

  Changes(OpenStore store, TypedSession session, EcStoreOptions options, Table<V> table) {
    this(store, session, options, table, Optional.empty(), Optional.empty(), false, false);
  }

  private Changes(
      OpenStore store,
      TypedSession session,
      EcStoreOptions options,
      Table<V> table,
      Optional<String> name,
      Optional<Position> from,
      boolean fromNow,
      boolean withBefore) {
    this.store = store;
    this.session = session;
    this.options = options;
    this.table = table;
    this.name = name;
    this.from = from;
    this.fromNow = fromNow;
    this.withBefore = withBefore;
  }

  /**
   * Those behind where another reader had come.
   *
   * @param token of {@link ChangedCommit#token} or {@link ChangeReader#token}
   * @throws WrongArgumentException if it is none of this table's changes
   */
  public Changes<V> from(String token) {
    Position position = ChangeToken.parse(token, table.keys(), store.tokens());
    return new Changes<>(
        store, session, options, table, name, Optional.of(position), false, withBefore);
  }

  /** Those that are committed from now on: what there is if nothing else is said. */
  public Changes<V> fromNow() {
    return new Changes<>(store, session, options, table, name, Optional.empty(), true, withBefore);
  }

  /**
   * Those of a reader whose progress the store keeps under a name, for {@link
   * ChangeReader#applyNext}: it goes on behind what was applied last, in whichever process, and
   * begins now if there is no such name. With {@link #from} or {@link #fromNow} it begins there
   * anew.
   *
   * @param reader of 1 to 255 characters; each table has names of its own
   */
  public Changes<V> named(String reader) {
    if (reader.isEmpty() || reader.length() > NAME_LENGTH_MAX) {
      throw new WrongArgumentException(
          "the name of a reader is of 1 to " + NAME_LENGTH_MAX + " characters",
          null,
          "name",
          reader);
    }
    return new Changes<>(
        store, session, options, table, Optional.of(reader), from, fromNow, withBefore);
  }

  /** The same with the values from before, as far as they are kept: a read for each commit. */
  public Changes<V> withBefore() {
    return new Changes<>(store, session, options, table, name, from, fromNow, true);
  }

  /**
   * Begins to read.
   *
   * @throws org.ecstore.client.error.EcStoreException if no node could say where now is, or what
   *     the store has under the name
   */
  public ChangeReader<V> open() {
    ReaderProgress progress = new ReaderProgress(session, table, name.orElse(""), name.isPresent());
    Position start = progress.begin(from, fromNow);
    return new ChangeReader<>(store, options, table, progress, start, withBefore);
  }

  /**
   * The same as a publisher: each subscriber reads by itself, by a thread of its own, as fast as it
   * asks for more. One that begins now begins where the store is when {@code subscribe} returns. It
   * ends with an error, and else when it is cancelled or the store is closed. A node serves 32
   * readers of one store: what many users see comes from one subscription.
   *
   * @throws WrongArgumentException if the reader has a name: what is applied is for {@link
   *     ChangeReader#applyNext} to say
   */
  public Flow.Publisher<ChangedCommit<V>> publisher() {
    if (name.isPresent()) {
      throw new WrongArgumentException(
          "the progress of a reader with a name is kept by applyNext, and not by a publisher",
          null,
          "name",
          name.get());
    }
    return subscriber -> ChangeSubscription.begin(this, subscriber, store.backend().cluster());
  }
}
