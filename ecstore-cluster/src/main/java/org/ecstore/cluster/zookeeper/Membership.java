package org.ecstore.cluster.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.id.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * Who is a member, and who leads: the member that has been one for longest, but that those next to
 * lead ({@link ZooKeeperSettings}) come before others. Belongs to the worker.
 *
 * <p>There is one mechanism for joining, for coming back after the session has ended, and for
 * putting right whatever else is found: read who is announced, compare with who of this process
 * should be, and make up the difference; again whenever the names change, and from time to time.
 *
 * <p>A node joins by writing its znode of incarnations: as often as that was written, that is its
 * incarnation. It announces itself by one transaction that checks that no other session has written
 * it since, deletes what earlier incarnations or sessions have left, and creates its own entry. So
 * at no time two incarnations of a node are announced, and an earlier one cannot displace a later
 * one, whenever its requests arrive.
 */
class Membership {
  private static final Duration READ_AGAIN = Duration.ofMillis(100);

  private final Layout layout;
  private final Worker worker;
  private final Supplier<Optional<ZooKeeperSession>> session;
  private final ZooKeeperSettings settings;
  private final OperatorLog log;

  /** Who of this process should be announced. */
  private final Map<NodeId, Joining> joinings = new TreeMap<>();

  private final Map<NodeId, Long> suspectedNanos = new TreeMap<>();
  private List<MemberEntry> announced = List.of();

  /** Counts connections: what comes of a request of an earlier one is old. */
  private long connection;

  private boolean reading;
  private boolean readAgain;

  /** What a member of this process is, and what it was told last on this connection. */
  private static final class Joining {
    private final Handle handle;
    private final Member member;
    private final Call join;
    private boolean announcing;
    private Event.@Nullable MembersChanged members;
    private @Nullable NodeId leader;

    Joining(Handle handle, Member member, Call join) {
      this.handle = handle;
      this.member = member;
      this.join = join;
    }
  }

  Membership(
      Layout layout,
      Worker worker,
      Supplier<Optional<ZooKeeperSession>> session,
      ZooKeeperSettings settings,
      OperatorLog log) {
    this.layout = layout;
    this.worker = worker;
    this.session = session;
    this.settings = settings;
    this.log = log;
  }

  /** There is a connection again, in the old session or in a new one. All is told again. */
  void connected() {
    connection++;
    reading = false;
    readAgain = false;
    for (Joining joining : joinings.values()) {
      joining.announcing = false;
      joining.members = null;
      joining.leader = null;
    }
    read();
  }

  void join(Call call, Handle handle, MemberInfo info) {
    Optional<ZooKeeperSession> now = session.get();
    if (now.isEmpty()) {
      call.unknown(ZooKeeperSession.NO_CONNECTION);
      return;
    }
    now.get()
        .client()
        .setData(
            layout.incarnation(handle.self()),
            info.address().getBytes(StandardCharsets.UTF_8),
            -1,
            (int code, String _, Object _, Stat stat) ->
                worker.execute(() -> counted(now.get(), call, handle, info, code, stat)));
  }

  private void counted(
      ZooKeeperSession now,
      Call call,
      Handle handle,
      MemberInfo info,
      int code,
      @Nullable Stat stat) {
    if (ZooKeeperSession.is(code, Code.OK) && stat != null) {
      joined(call, handle, new Member(handle.self(), stat.getVersion() + 1L, info));
    } else if (ZooKeeperSession.is(code, Code.NONODE)) {
      now.client()
          .create(
              layout.incarnation(handle.self()),
              info.address().getBytes(StandardCharsets.UTF_8),
              CreateMode.PERSISTENT,
              (int created, String _, Object _, String _) ->
                  worker.execute(() -> countedFirst(call, handle, info, created)));
    } else {
      call.unknown(ZooKeeperSession.reason(code));
    }
  }

  private void countedFirst(Call call, Handle handle, MemberInfo info, int code) {
    if (ZooKeeperSession.is(code, Code.OK)) {
      joined(call, handle, new Member(handle.self(), 1, info));
    } else {
      // If another of the same id was quicker, the node will ask again.
      call.unknown(ZooKeeperSession.reason(code));
    }
  }

  /** The node has its incarnation; it is told once it is announced. */
  private void joined(Call call, Handle handle, Member member) {
    Joining before = joinings.get(member.node());
    if (!call.isOpen()) {
      return;
    }
    if (before != null && before.member.incarnation() > member.incarnation()) {
      call.unknown("the node has joined again meanwhile");
      return;
    }
    Joining joining = new Joining(handle, member, call);
    joinings.put(member.node(), joining);
    if (before != null && !before.handle.equals(handle)) {
      tellDisplaced(before, member.incarnation());
    } else if (before != null) {
      before.join.unknown("the node has joined again meanwhile");
    }
    call.ifUnknown(() -> joinings.remove(member.node(), joining));
    read();
  }

  /** A node has ended: it is a member no more, and hears no more. */
  void end(NodeId node) {
    Joining joining = joinings.remove(node);
    if (joining == null) {
      return;
    }
    joining.join.unknown("the node was ended");
    session.get().ifPresent(this::removeStrays);
  }

  /** See {@link ProcessCoordination#suspect}. */
  void suspect(NodeId node, long incarnation) {
    Optional<ZooKeeperSession> now = session.get();
    long nanos = worker.nanos();
    suspectedNanos.values().removeIf(then -> nanos - then > settings.session().toNanos());
    if (now.isEmpty() || joinings.containsKey(node) || suspectedNanos.containsKey(node)) {
      return;
    }
    for (MemberEntry entry : announced) {
      if (entry.isOf(node, incarnation)) {
        // Who removes it does not do so again at once: one that lives must have a chance to stay.
        suspectedNanos.put(node, nanos);
        log.info("coordination: " + node + " is unreachable and no member for now");
        delete(now.get(), entry);
      }
    }
  }

  /** Reads who is announced, and goes on from there. Does nothing without a connection. */
  void read() {
    Optional<ZooKeeperSession> now = session.get();
    if (now.isEmpty()) {
      return;
    }
    if (reading) {
      readAgain = true;
      return;
    }
    reading = true;
    long asked = connection;
    now.get().client().sync(layout.members(), (int _, String _, Object _) -> {});
    now.get()
        .client()
        .getChildren(
            layout.members(),
            watcher,
            (int code, String _, Object _, List<String> names) ->
                worker.execute(() -> found(asked, code, names)));
  }

  /** Reads who leads, as one of the servers knows it once it has caught up. */
  void leader(Call call) {
    Optional<ZooKeeperSession> now = session.get();
    if (now.isEmpty()) {
      call.unknown(ZooKeeperSession.NO_CONNECTION);
      return;
    }
    now.get().client().sync(layout.members(), (int _, String _, Object _) -> {});
    now.get()
        .client()
        .getChildren(
            layout.members(),
            null,
            (int code, String _, Object _, List<String> names) ->
                worker.execute(() -> answerLeader(call, code, names)));
  }

  private void answerLeader(Call call, int code, @Nullable List<String> names) {
    if (ZooKeeperSession.is(code, Code.OK) && names != null) {
      call.answer(new CoordinationResult.Leader(leaderOf(newest(parse(names)).values())));
    } else {
      call.unknown(ZooKeeperSession.reason(code));
    }
  }

  private final Watcher watcher =
      new Watcher() {
        @Override
        public void process(WatchedEvent event) {
          if (event.getType() != Watcher.Event.EventType.None) {
            worker.execute(Membership.this::read);
          }
        }
      };

  private void found(long asked, int code, @Nullable List<String> names) {
    Optional<ZooKeeperSession> now = session.get();
    if (asked != connection || now.isEmpty()) {
      return;
    }
    reading = false;
    if (!ZooKeeperSession.is(code, Code.OK) || names == null) {
      readLater();
      return;
    }
    announced = parse(names);
    for (Joining joining : List.copyOf(joinings.values())) {
      settle(now.get(), joining);
    }
    removeStrays(now.get());
    tell();
    if (readAgain) {
      readAgain = false;
      read();
    }
  }

  private void readLater() {
    worker.after(READ_AGAIN, this::read);
  }

  /** Announces a member that is not. */
  private void settle(ZooKeeperSession now, Joining joining) {
    Member member = joining.member;
    long newest =
        announced.stream()
            .map(MemberEntry::member)
            .filter(other -> other.node().equals(member.node()))
            .mapToLong(Member::incarnation)
            .max()
            .orElse(0);
    if (newest > member.incarnation()) {
      displaced(joining, newest);
    } else if (announced.stream().anyMatch(entry -> isEntryOf(entry, joining, now))) {
      joining.join.answer(new CoordinationResult.Joined(member.incarnation()));
    } else if (!joining.announcing) {
      announce(now, joining);
    }
  }

  private static boolean isEntryOf(MemberEntry entry, Joining joining, ZooKeeperSession now) {
    return entry.session() == now.id()
        && entry.isOf(joining.member.node(), joining.member.incarnation());
  }

  private void announce(ZooKeeperSession now, Joining joining) {
    joining.announcing = true;
    long asked = connection;
    now.client()
        .multi(
            steps(now, joining.member, seniority(joining.member)),
            (int code, String _, Object _, List<OpResult> results) ->
                worker.execute(() -> announced(asked, joining, code, results)));
  }

  /** Replaces whatever entry a member has by one, in one step. */
  List<Op> steps(ZooKeeperSession now, Member member, OptionalInt seniority) {
    List<Op> steps = new ArrayList<>();
    steps.add(
        Op.check(layout.incarnation(member.node()), Math.toIntExact(member.incarnation() - 1)));
    for (MemberEntry entry : announced) {
      if (entry.member().node().equals(member.node())) {
        steps.add(Op.delete(path(entry), -1));
      }
    }
    steps.add(
        Op.create(
            layout.members() + "/" + MemberEntry.prefix(member, now.id(), seniority),
            ZooKeeperSession.NOTHING,
            ZooKeeperSession.OPEN,
            CreateMode.EPHEMERAL_SEQUENTIAL));
    return steps;
  }

  /**
   * Gives a member an entry without the seniority of the one before. Others see one or the other,
   * so that it is a member all the time.
   */
  void standBack(Call call, Handle handle) {
    Optional<ZooKeeperSession> now = session.get();
    Joining joining = joinings.get(handle.self());
    if (now.isEmpty()
        || joining == null
        || !joining.handle.equals(handle)
        || joining.announcing
        || announced.stream().noneMatch(entry -> isEntryOf(entry, joining, now.get()))) {
      call.unknown("it is no member at present");
      return;
    }
    joining.announcing = true;
    long asked = connection;
    now.get()
        .client()
        .multi(
            steps(now.get(), joining.member, OptionalInt.empty()),
            (int code, String _, Object _, List<OpResult> results) ->
                worker.execute(
                    () -> {
                      announced(asked, joining, code, results);
                      stoodBack(call, code);
                    }));
  }

  private void stoodBack(Call call, int code) {
    if (ZooKeeperSession.is(code, Code.OK)) {
      leader(call);
    } else {
      call.unknown(ZooKeeperSession.reason(code));
    }
  }

  /**
   * That of the entry of the same incarnation under an earlier session, if the servers still have
   * it: a ZooKeeper that was away for a while does not move the lead. One that is next to lead
   * takes that of the leader, whose entry is older.
   */
  private OptionalInt seniority(Member member) {
    OptionalInt before =
        announced.stream()
            .filter(entry -> entry.isOf(member.node(), member.incarnation()))
            .mapToInt(MemberEntry::seniority)
            .min();
    return before.isEmpty() && settings.nextToLead()
        ? announced.stream().mapToInt(MemberEntry::seniority).min()
        : before;
  }

  private void announced(long asked, Joining joining, int code, @Nullable List<OpResult> results) {
    if (asked != connection) {
      return;
    }
    joining.announcing = false;
    if (ZooKeeperSession.is(code, Code.OK)) {
      joining.join.answer(new CoordinationResult.Joined(joining.member.incarnation()));
      read();
    } else if (isCheckFailed(results)) {
      displaced(joining, joining.member.incarnation() + 1);
    } else {
      // What was to be deleted is gone already, or the connection is, and the next one reads.
      readLater();
    }
  }

  private static boolean isCheckFailed(@Nullable List<OpResult> results) {
    return results != null
        && !results.isEmpty()
        && results.getFirst() instanceof OpResult.ErrorResult first
        && (ZooKeeperSession.is(first.getErr(), Code.BADVERSION)
            || ZooKeeperSession.is(first.getErr(), Code.NONODE));
  }

  /** By an incarnation, or a later one. */
  private void displaced(Joining joining, long by) {
    if (joinings.remove(joining.member.node(), joining)) {
      tellDisplaced(joining, by);
      log.warn(
          "coordination: %s was started again elsewhere; its incarnation %d is no member any more"
              .formatted(joining.member.node(), joining.member.incarnation()));
    }
  }

  /** One that was announced hears of it and ends; one that was not may try to join once more. */
  private static void tellDisplaced(Joining joining, long by) {
    boolean wasMember = !joining.join.isOpen();
    joining.join.unknown("the node has joined again elsewhere");
    if (wasMember) {
      joining.handle.tell(new Event.Displaced(by));
    }
  }

  /** Deletes entries of this session that no node of this process stands for. */
  private void removeStrays(ZooKeeperSession now) {
    for (MemberEntry entry : announced) {
      if (entry.session() == now.id()
          && joinings.values().stream().noneMatch(joining -> isEntryOf(entry, joining, now))) {
        delete(now, entry);
      }
    }
  }

  private void delete(ZooKeeperSession now, MemberEntry entry) {
    now.client()
        .delete(
            path(entry),
            (int code, String _, Object _) -> {
              if (!ZooKeeperSession.is(code, Code.OK) && !ZooKeeperSession.is(code, Code.NONODE)) {
                worker.execute(
                    () -> {
                      suspectedNanos.remove(entry.member().node());
                      readLater();
                    });
              }
            });
  }

  private String path(MemberEntry entry) {
    return layout.members() + "/" + entry.name();
  }

  /** Tells members of this process what they do not know. */
  private void tell() {
    Map<NodeId, MemberEntry> entries = newest(announced);
    List<Member> members = entries.values().stream().map(MemberEntry::member).toList();
    List<NodeId> succession = successionOf(entries.values());
    for (Joining joining : joinings.values()) {
      // One that is not announced yet hears of it when it is.
      if (!joining.join.isOpen() && members.contains(joining.member)) {
        tell(joining, new Event.MembersChanged(members, succession));
      }
    }
  }

  private static List<MemberEntry> parse(List<String> names) {
    return names.stream().map(MemberEntry::parse).flatMap(Optional::stream).toList();
  }

  /** Of each node the entry of its newest incarnation. */
  private static Map<NodeId, MemberEntry> newest(List<MemberEntry> found) {
    Map<NodeId, MemberEntry> entries = new TreeMap<>();
    for (MemberEntry entry : found) {
      entries.merge(
          entry.member().node(),
          entry,
          (a, b) -> a.member().incarnation() >= b.member().incarnation() ? a : b);
    }
    return entries;
  }

  /** Which incarnation of a node is announced. */
  static Optional<Member> newest(List<String> names, NodeId node) {
    return Optional.ofNullable(newest(parse(names)).get(node)).map(MemberEntry::member);
  }

  /** The first in the succession. */
  private Optional<NodeId> leaderOf(Collection<MemberEntry> entries) {
    return successionOf(entries).stream().findFirst();
  }

  /** Those with the lower seniority come first, of equals those with the older entry. */
  List<NodeId> successionOf(Collection<MemberEntry> entries) {
    return entries.stream()
        .sorted(
            Comparator.comparingInt(MemberEntry::seniority).thenComparingInt(MemberEntry::number))
        .map(entry -> entry.member().node())
        .toList();
  }

  private static void tell(Joining joining, Event.MembersChanged members) {
    if (!members.equals(joining.members)) {
      joining.members = members;
      joining.handle.tell(members);
    }
    NodeId leader = members.succession().getFirst();
    if (!leader.equals(joining.leader)) {
      joining.leader = leader;
      joining.handle.tell(new Event.LeaderHinted(Optional.of(leader)));
    }
  }
}
