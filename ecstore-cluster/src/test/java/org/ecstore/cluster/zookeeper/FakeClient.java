package org.ecstore.cluster.zookeeper;

import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.sim.world.Scheduler;

/**
 * The library's client in virtual time: it keeps a session for a process, connects again, and
 * begins a new session when the old one has ended.
 */
final class FakeClient {
  private final FakeEnsemble ensemble;
  private final Scheduler scheduler;
  private final long sessionNanos;
  private FakeSession session;
  private Consumer<Boolean> changed = _ -> {};
  private long cutUntilNanos;
  private long pausedUntilNanos;
  private boolean dead;

  FakeClient(FakeEnsemble ensemble, long sessionNanos) {
    this.ensemble = ensemble;
    this.scheduler = ensemble.scheduler;
    this.sessionNanos = sessionNanos;
    this.session = new FakeSession(ensemble, this::broken);
  }

  private void broken() {
    changed.accept(false);
    scheduler.after(ensemble.delay(), this::back);
  }

  /**
   * Tells of changes of the connection.
   *
   * @param listener hears whether there is one now
   */
  void onChange(Consumer<Boolean> listener) {
    changed = listener;
  }

  Optional<ZooKeeperSession> current() {
    return session.isConnected()
        ? Optional.of(new ZooKeeperSession(session, session.id()))
        : Optional.empty();
  }

  private long now() {
    return scheduler.nowNanos();
  }

  private boolean isUnheard() {
    return dead || Math.max(cutUntilNanos, pausedUntilNanos) > now();
  }

  /** The session ends if the process is not heard of for so long. */
  private void watch(FakeSession watched, long sinceNanos) {
    scheduler.at(
        sinceNanos + sessionNanos,
        () -> {
          if (isUnheard() && watched == session) {
            watched.expire();
          }
        });
  }

  /** The connection breaks, and there is none for a while. */
  void cutOff(long nanos) {
    if (dead) {
      return;
    }
    cutUntilNanos = Math.max(cutUntilNanos, now() + nanos);
    session.disconnect();
    changed.accept(false);
    watch(session, now());
    scheduler.after(nanos, this::back);
  }

  /** The process does nothing for a while: the servers do not hear of it. */
  void pause(long nanos) {
    pausedUntilNanos = Math.max(pausedUntilNanos, now() + nanos);
    watch(session, now());
    scheduler.after(nanos, this::back);
  }

  /** The servers end the session of a process that lives. */
  void expire() {
    session.expire();
    scheduler.after(ensemble.delay(), this::back);
  }

  private void back() {
    if (isUnheard()) {
      return;
    }
    if (session.isExpired()) {
      session.disconnect();
      session = new FakeSession(ensemble, this::broken);
      changed.accept(true);
    } else if (!session.isConnected()) {
      session.reconnect();
      changed.accept(true);
    }
  }

  /** The process ends. */
  void die() {
    dead = true;
    session.disconnect();
    watch(session, now());
  }

  /** All can be reached again. */
  void heal() {
    cutUntilNanos = 0;
    back();
  }
}
