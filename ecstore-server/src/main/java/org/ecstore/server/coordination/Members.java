package org.ecstore.server.coordination;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;

/**
 * The live members and the leader among them. The lead does not move while the leader lives; then
 * it goes to the lowest-numbered member that has led before, else to the one that has been a member
 * longest. Not safe for use by several threads.
 */
final class Members {
  /** A member and where to tell it news. */
  private record Session(Member member, Consumer<Event> sink) {}

  private final Map<NodeId, Session> sessions = new LinkedHashMap<>();
  private final TreeSet<NodeId> ledBefore = new TreeSet<>();

  /** Of those who live and are not heard of. */
  private final Map<NodeId, Session> absent = new LinkedHashMap<>();

  private Optional<NodeId> leader = Optional.empty();

  /** Adds a member, in place of an earlier incarnation of the node if that is still here. */
  void join(Member member, Consumer<Event> sink) {
    absent.remove(member.node());
    Session before = sessions.get(member.node());
    boolean moved = remove(member.node());
    if (before != null && !before.sink().equals(sink)) {
      before.sink().accept(new Event.Displaced(member.incarnation()));
    }
    sessions.put(member.node(), new Session(member, sink));
    moved |= elect();
    tellMembers();
    if (moved) {
      tellLeader();
    } else {
      sink.accept(new Event.LeaderHinted(leader));
    }
  }

  /** Who leads. */
  Optional<NodeId> leader() {
    return leader;
  }

  /** Counts a member as the one that joined last; false if it is none by this sink. */
  boolean standBack(NodeId node, Consumer<Event> sink) {
    Session session = sessions.get(node);
    if (session == null || !session.sink().equals(sink)) {
      return false;
    }
    ledBefore.remove(node);
    sessions.remove(node);
    sessions.put(node, session);
    if (leader.equals(Optional.of(node)) && sessions.size() > 1) {
      leader = Optional.empty();
      elect();
      tellLeader();
    }
    tellMembers();
    return true;
  }

  /** Removes a member that lives on, if it is one, and tells the others. */
  void away(NodeId node) {
    Session session = sessions.get(node);
    if (session != null) {
      end(node);
      absent.put(node, session);
    }
  }

  /** One that was not heard of is: a member again in the incarnation that it had, told all anew. */
  void back(NodeId node) {
    Optional<Session> gone = Optional.ofNullable(absent.remove(node));
    if (gone.isPresent()) {
      join(gone.get().member(), gone.get().sink());
    } else {
      Optional.ofNullable(sessions.get(node))
          .ifPresent(
              session -> {
                session.sink().accept(change());
                session.sink().accept(new Event.LeaderHinted(leader));
              });
    }
  }

  /** Removes a member, if it is one, and tells the others. */
  void end(NodeId node) {
    absent.remove(node);
    if (sessions.containsKey(node)) {
      boolean moved = remove(node);
      tellMembers();
      if (moved) {
        tellLeader();
      }
    }
  }

  /** Removes a member; whether that made another one the leader. */
  private boolean remove(NodeId node) {
    sessions.remove(node);
    if (leader.equals(Optional.of(node))) {
      leader = Optional.empty();
      return elect();
    }
    return false;
  }

  /** Finds a leader if there is none; whether there is a new one. */
  private boolean elect() {
    if (leader.isPresent() || sessions.isEmpty()) {
      return false;
    }
    NodeId longest = sessions.keySet().iterator().next();
    NodeId elected = ledBefore.stream().filter(sessions::containsKey).findFirst().orElse(longest);
    ledBefore.add(elected);
    leader = Optional.of(elected);
    return true;
  }

  private Event change() {
    List<Member> members = new ArrayList<>();
    sessions.values().forEach(session -> members.add(session.member()));
    members.sort(Comparator.comparing(Member::node));
    return new Event.MembersChanged(List.copyOf(members), succession());
  }

  private void tellMembers() {
    Event change = change();
    sessions.values().forEach(session -> session.sink().accept(change));
  }

  /** As {@link #elect} would go through them. */
  private List<NodeId> succession() {
    Set<NodeId> order = new LinkedHashSet<>();
    leader.ifPresent(order::add);
    ledBefore.stream().filter(sessions::containsKey).forEach(order::add);
    order.addAll(sessions.keySet());
    return List.copyOf(order);
  }

  private void tellLeader() {
    Event hint = new Event.LeaderHinted(leader);
    sessions.values().forEach(session -> session.sink().accept(hint));
  }
}
