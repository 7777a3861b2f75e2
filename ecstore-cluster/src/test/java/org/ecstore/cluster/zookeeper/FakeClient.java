package org.ecstore.cluster.zookeeper;

import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.sim.world.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The library's client in virtual time: it keeps a session for a process, connects again, and
 * begins a new session when the old one has ended.
 */
final class FakeClient implements FakeSession.Owner {
  private final FakeEnsemble ensemble;
  private final Scheduler scheduler;
  private final long sessionNanos;
  private Consumer<Boolean> changed = _ -> {};

  /** The newest one; absent until the servers were reached once. */
  private @Nullable FakeSession session;

  /** The servers hear nothing of the process from a time to another. */
  private long unheardSinceNanos;

  private long unheardUntilNanos;
  private boolean dead;

  /**
   * That of a process that begins.
   *
   * @param cutUntilNanos before that it does not reach the servers
   */
  FakeClient(FakeEnsemble ensemble, long sessionNanos, long cutUntilNanos) {
    this.ensemble = ensemble;
    this.scheduler = ensemble.scheduler;
    this.sessionNanos = sessionNanos;
    this.unheardUntilNanos = cutUntilNanos;
    if (cutUntilNanos > now()) {
      scheduler.at(cutUntilNanos, this::back);
    } else {
      session = new FakeSession(ensemble, this);
    }
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
    return session()
        .filter(FakeSession::isConnected)
        .map(connected -> new ZooKeeperSession(connected, connected.id()));
  }

  Optional<FakeSession> session() {
    return Optional.ofNullable(session);
  }

  private long now() {
    return scheduler.nowNanos();
  }

  private boolean isUnheard() {
    return unheardUntilNanos > now();
  }

  private boolean isPresent(FakeSession one) {
    return session().filter(one::equals).isPresent();
  }

  @Override
  public void broken() {
    if (!dead) {
      changed.accept(false);
      scheduler.after(ensemble.delay(), this::back);
    }
  }

  @Override
  public void unheard(long nanos) {
    if (!isUnheard()) {
      unheardSinceNanos = now();
    }
    unheardUntilNanos = Math.max(unheardUntilNanos, now() + nanos);
    session().ifPresent(this::watch);
    scheduler.after(nanos + ensemble.delay(), this::back);
  }

  /** The session ends if the process is not heard of for about so long. */
  private void watch(FakeSession watched) {
    long since = unheardSinceNanos;
    scheduler.at(
        since + ensemble.random.between(sessionNanos * 2 / 3, sessionNanos * 4 / 3),
        () -> {
          if (isUnheard() && since == unheardSinceNanos && isPresent(watched)) {
            watched.expire();
          }
        });
  }

  /**
   * Nothing gets through for a while. The connection breaks, or the client finds out when it has
   * heard nothing for most of a session's time.
   */
  void cutOff(long nanos) {
    if (dead) {
      return;
    }
    unheard(nanos);
    session().ifPresent(cut -> interrupt(cut, nanos));
  }

  private void interrupt(FakeSession cut, long nanos) {
    long patience = sessionNanos * 2 / 3;
    if (ensemble.random.chance(0.5)) {
      lost(cut);
    } else {
      cut.silence(now() + nanos);
      if (patience < nanos) {
        scheduler.after(
            patience,
            () -> {
              if (isPresent(cut) && isUnheard()) {
                lost(cut);
              }
            });
      }
    }
  }

  private void lost(FakeSession one) {
    if (one.isConnected() && !dead) {
      one.disconnect();
      changed.accept(false);
    }
  }

  /** The process does nothing for a while: the servers do not hear of it. */
  void pause(long nanos) {
    if (!dead) {
      unheard(nanos);
    }
  }

  /**
   * The servers end the session of a process that lives.
   *
   * @param nanos after which it finds out, unless a call tells it before
   */
  void expire(long nanos) {
    session().ifPresent(FakeSession::expire);
    scheduler.after(nanos, this::back);
  }

  private void back() {
    if (isUnheard() || dead) {
      return;
    }
    FakeSession last = session;
    if (last == null || last.isExpired()) {
      if (last != null && last.isAtDeposed()) {
        // Its server does not know; it will break the connection when it does.
        return;
      }
      session().ifPresent(FakeSession::disconnect);
      session = new FakeSession(ensemble, this);
      changed.accept(true);
    } else if (!last.isConnected()) {
      last.reconnect();
      changed.accept(true);
    }
  }

  /** The process ends. */
  void die() {
    unheard(Long.MAX_VALUE / 2);
    dead = true;
    session().ifPresent(FakeSession::disconnect);
  }

  /** All can be reached again. */
  void heal() {
    if (!dead) {
      unheardUntilNanos = now();
      session().filter(FakeSession::isSilent).ifPresent(this::lost);
      back();
    }
  }
}
