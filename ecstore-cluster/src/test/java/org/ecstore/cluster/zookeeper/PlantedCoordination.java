package org.ecstore.cluster.zookeeper;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.NodeId;

/** Bugs that the adapter for coordination could have. */
final class PlantedCoordination {
  private PlantedCoordination() {}

  /** By their names. */
  static Map<String, ProcessCoordination.Parts> all() {
    Map<String, ProcessCoordination.Parts> all = new TreeMap<>();
    all.put("doubts-are-forgotten", doubtsAreForgotten());
    all.put("watches-end-with-the-connection", watchesEnd());
    all.put("announced-without-a-look-at-the-incarnation", unchecked());
    all.put("nodes-lead-by-their-numbers-after-the-first", byNumbers());
    all.put("first-session-is-kept", firstSession());
    all.put("no-answer-is-taken-for-done", takenForDone());
    return all;
  }

  /** After a replacement of unknown outcome a plain read is believed. */
  private static ProcessCoordination.Parts doubtsAreForgotten() {
    return OtherParts.values(
        (layout, worker, session, bytesMax, log) ->
            new Values(layout, worker, session, bytesMax, log) {
              @Override
              boolean isDoubtful() {
                return false;
              }
            });
  }

  /** The library is trusted to set them again. */
  private static ProcessCoordination.Parts watchesEnd() {
    return OtherParts.values(
        (layout, worker, session, bytesMax, log) ->
            new Values(layout, worker, session, bytesMax, log) {
              @Override
              void connected() {}
            });
  }

  /** An earlier incarnation that was away announces itself over a later one. */
  private static ProcessCoordination.Parts unchecked() {
    return OtherParts.membership(
        (layout, worker, session, settings, log) ->
            new Membership(layout, worker, session, settings, log) {
              @Override
              List<Op> steps(ZooKeeperSession now, Member member, OptionalInt seniority) {
                return super.steps(now, member, seniority)
                    .subList(1, super.steps(now, member, seniority).size());
              }
            });
  }

  /** Membership goes on with the session that there was first. */
  private static ProcessCoordination.Parts firstSession() {
    return OtherParts.membership(
        (layout, worker, session, settings, log) -> {
          List<ZooKeeperSession> first = new ArrayList<>();
          return new Membership(
              layout,
              worker,
              () -> {
                if (first.isEmpty()) {
                  session.get().ifPresent(first::add);
                }
                return session.get().flatMap(_ -> first.stream().findFirst());
              },
              settings,
              log);
        });
  }

  /** A replacement that was on its way when the connection broke is taken for done. */
  private static ProcessCoordination.Parts takenForDone() {
    return OtherParts.values(
        (layout, worker, session, bytesMax, log) ->
            new Values(layout, worker, session, bytesMax, log) {
              @Override
              void swapped(Call call, int code, long version) {
                boolean isLost = ZooKeeperSession.is(code, Code.CONNECTIONLOSS);
                super.swapped(call, isLost ? Code.OK.intValue() : code, version);
              }
            });
  }

  /** The leader is right; the next in line is always the node with the lowest id. */
  private static ProcessCoordination.Parts byNumbers() {
    return OtherParts.membership(
        (layout, worker, session, settings, log) ->
            new Membership(layout, worker, session, settings, log) {
              @Override
              List<NodeId> successionOf(Collection<MemberEntry> entries) {
                List<NodeId> order = new ArrayList<>(super.successionOf(entries));
                order
                    .subList(Math.min(1, order.size()), order.size())
                    .sort(Comparator.naturalOrder());
                return order;
              }
            });
  }
}
