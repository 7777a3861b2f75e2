package org.ecstore.txn.sequencer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.txn.message.TxnMessage.Heartbeat;

/**
 * Heartbeats of the node that leads, for members who have not heard what they say. Every message
 * carries D: where commits are busy a member has it with what it is told of them, and a heartbeat
 * would only wake it (decision 0073).
 */
final class Heartbeats {
  /**
   * A member is told within this time at the latest, whatever it has heard otherwise, for a message
   * may be lost. A third of the silence after which a standby asks ({@link LeaderWatch}).
   */
  static final long SILENCE_NANOS_MAX = 50_000_000L;

  private record Said(long nanos, long incarnation, Heartbeat beat) {}

  private final NodeContext context;

  /** The last one to each member. */
  private final Map<NodeId, Said> said = new HashMap<>();

  Heartbeats(NodeContext context) {
    this.context = context;
  }

  /** What an earlier term has said is void. */
  void clear() {
    said.clear();
  }

  /** Says a heartbeat, and with it D and M, to those of the members who lack it. */
  void say(Heartbeat beat, List<Member> members, ReadPoint adopted) {
    long now = context.nanos();
    for (Member member : members) {
      if (lacks(member, beat, adopted, now)) {
        said.put(member.node(), new Said(now, member.incarnation(), beat));
        context.send(member.node(), beat);
      }
    }
  }

  private boolean lacks(Member member, Heartbeat beat, ReadPoint adopted, long now) {
    Said last = said.get(member.node());
    return last == null
        || last.incarnation() != member.incarnation()
        || !last.beat().equals(beat)
        || now - last.nanos() >= SILENCE_NANOS_MAX
        || !context.told(member.node()).equals(adopted);
  }
}
