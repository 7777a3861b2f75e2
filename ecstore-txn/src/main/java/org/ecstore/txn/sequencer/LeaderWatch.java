package org.ecstore.txn.sequencer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.txn.message.TxnMessage.ConfirmRequest;

/**
 * A standby's eye on the node that leads. A process that is frozen closes no connection, and its
 * session with coordination lasts for seconds more; so a standby that has had no word from it for
 * half a second, though it asked, suspects it, and coordination names another. Rule 6 makes that
 * safe even if the suspicion is wrong: the next one fences the ledger, and the one before finds
 * itself shut out.
 *
 * <p>A standby that hears no node is most likely cut off itself, and one that was late itself has
 * not listened: both suspect none. A leader that was suspected and lives may be given more time
 * from then on ({@link LeaderTimeout}). Each such false alarm is counted. Decision 0038.
 *
 * <p>Who begins to lead reads the ledger, and all nodes ask it at once: until it has led for four
 * seconds, two of silence are no reason to suspect it. Else a busy machine makes one needless
 * take-over after another.
 */
public class LeaderWatch {
  /** In each line that says so. */
  public static final String IN_VAIN = "suspected in vain";

  /** After so long without a word it is asked for one, and asked again. */
  private static final long ASK_NANOS = 150_000_000L;

  /** Who looks so late was busy or frozen, and begins to listen anew. */
  private static final long LATE_NANOS = 200_000_000L;

  /** How long the silence of a leader may be that has not settled yet. */
  private static final long UNSETTLED_NANOS = 2_000_000_000L;

  /** A leader has settled so long after it was first heard to lead. */
  private static final long SETTLES_NANOS = 4_000_000_000L;

  private final NodeContext context;
  private final Map<NodeId, Long> heardNanos = new TreeMap<>();

  /** Of nodes that were suspected in vain. */
  private final Map<NodeId, LeaderTimeout> timeout = new TreeMap<>();

  private Optional<Member> watched = Optional.empty();

  /** When the watched one was first heard to lead. */
  private OptionalLong leadsSinceNanos = OptionalLong.empty();

  private Optional<Member> suspected = Optional.empty();

  /** How long a silence is of one that begins to lead says nothing of later ones. */
  private boolean suspectedWhenSettled;

  private long silentSinceNanos;
  private long sinceNanos;
  private long askedNanos;
  private long lookedNanos;
  private long falseAlarms;

  public LeaderWatch(NodeContext context) {
    this.context = context;
  }

  /** A node has said something. */
  public void heard(NodeId from, long incarnation) {
    long now = context.nanos();
    long silent = now - silentSinceNanos;
    heardNanos.put(from, now);
    if (suspected.filter(one -> isOf(one, from, incarnation)).isPresent()) {
      suspected = Optional.empty();
      falseAlarms++;
      if (suspectedWhenSettled) {
        timeout.computeIfAbsent(from, _ -> new LeaderTimeout()).suspectedInVain(silent, now);
      }
      context
          .ports()
          .log()
          .warn(
              "%s was silent for %d ms and is not gone: %s %d times"
                  .formatted(from, silent / 1_000_000, IN_VAIN, falseAlarms));
    }
  }

  /** A node has said something that only one says that leads. */
  public void heardLeading(NodeId from, long incarnation) {
    if (leadsSinceNanos.isEmpty()
        && watched.filter(one -> isOf(one, from, incarnation)).isPresent()) {
      leadsSinceNanos = OptionalLong.of(context.nanos());
    }
  }

  private static boolean isOf(Member member, NodeId node, long incarnation) {
    return member.node().equals(node) && member.incarnation() == incarnation;
  }

  /**
   * Looks whether the leader has been silent for too long. Called at every tick.
   *
   * @param leader absent where this node is not to watch it: it leads itself, or is no standby
   * @param members all that are there
   */
  public void look(Optional<NodeId> leader, List<Member> members) {
    long now = context.nanos();
    boolean late = now - lookedNanos > LATE_NANOS;
    lookedNanos = now;
    Optional<Member> leading = leader.flatMap(node -> find(members, node));
    boolean isAnother = !leading.equals(watched);
    if (isAnother) {
      watched = leading;
      leadsSinceNanos = OptionalLong.empty();
    }
    if (late || isAnother) {
      sinceNanos = now;
      askedNanos = now;
      return;
    }
    if (leading.isPresent()) {
      look(leading.get(), members, now);
    }
  }

  private static Optional<Member> find(List<Member> members, NodeId node) {
    return members.stream().filter(member -> member.node().equals(node)).findFirst();
  }

  private void look(Member leading, List<Member> members, long now) {
    long silent = now - lastWord(leading.node());
    if (silent > ASK_NANOS && now - askedNanos > ASK_NANOS) {
      askedNanos = now;
      members.stream().filter(member -> !member.node().equals(context.self())).forEach(this::ask);
    }
    if (silent > borneNanos(leading.node(), silent, now) && hearsOthers(leading, members, now)) {
      suspect(leading, silent);
      sinceNanos = now;
    }
  }

  private long borneNanos(NodeId leading, long silent, long now) {
    boolean settled = hasSettled(now);
    LeaderTimeout with = timeout.get(leading);
    long borne = LeaderTimeout.FIRST_NANOS;
    if (with != null) {
      if (settled) {
        with.silent(silent, now);
      }
      borne = with.nanos(now);
    }
    return settled ? borne : Math.max(borne, UNSETTLED_NANOS);
  }

  private boolean hasSettled(long now) {
    return leadsSinceNanos.isPresent() && now - leadsSinceNanos.getAsLong() > SETTLES_NANOS;
  }

  private long lastWord(NodeId node) {
    return Math.max(sinceNanos, heardNanos.getOrDefault(node, sinceNanos));
  }

  /** Any answer is a word. */
  private void ask(Member member) {
    context.ask(
        member.node(),
        call -> new ConfirmRequest(call, Position.ZERO),
        LeaderTimeout.FIRST_NANOS,
        answer -> answer.ifPresent(_ -> heard(member.node(), member.incarnation())));
  }

  /** Whether this node is not the one that is cut off, as far as it can tell. */
  private boolean hearsOthers(Member leading, List<Member> members, long now) {
    return members.stream()
        .map(Member::node)
        .filter(node -> !node.equals(context.self()) && !node.equals(leading.node()))
        .map(heardNanos::get)
        .anyMatch(heard -> heard != null && now - heard < LeaderTimeout.FIRST_NANOS);
  }

  /** Says so to coordination as often as it takes, to people once. */
  private void suspect(Member leading, long silent) {
    if (suspected.filter(leading::equals).isEmpty()) {
      suspected = Optional.of(leading);
      suspectedWhenSettled = hasSettled(context.nanos());
      silentSinceNanos = lastWord(leading.node());
      context
          .ports()
          .log()
          .warn(
              "%s leads and has been silent for %d ms: another is to lead"
                  .formatted(leading.node(), silent / 1_000_000));
    }
    context.ports().coordination().suspect(leading.node(), leading.incarnation());
  }

  /** How often a leader was suspected that lived. */
  public long falseAlarms() {
    return falseAlarms;
  }
}
