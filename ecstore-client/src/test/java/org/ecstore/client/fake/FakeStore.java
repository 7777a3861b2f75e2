package org.ecstore.client.fake;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.aggregate.Folding;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.CopyRole;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.ReadSource;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.wire.Limits;

/**
 * What all nodes of a fake cluster know together: a versioned store with validation as rule 3 says,
 * outcomes as rule 5 says, ranges that split and move. One lock; nothing waits.
 */
public final class FakeStore {
  /** What a node says of a position that is not there, however long it waits (rule 9). */
  private static final ClientReply NOT_REACHED =
      new ClientReply.Refused(
          RefusalCode.UNAVAILABLE, "this node has not reached the position yet");

  /** Some source, where it does not matter. */
  public static final ReadSource SOURCE =
      new ReadSource(new NodeId(1), CopyRole.PRIMARY, Position.ZERO, Position.ZERO, 0);

  private final NavigableMap<Bytes, NavigableMap<Position, Optional<Bytes>>> versions =
      new TreeMap<>();
  private final NavigableMap<Bytes, Route> ranges = new TreeMap<>();
  private final FakeChanges changes = new FakeChanges();
  private FakeObjectives objectives = new FakeObjectives(Optional.empty());
  private final Map<TxnId, ClientReply> outcomes = new HashMap<>();
  private final Map<Long, Position> leases = new LinkedHashMap<>();
  private Position durable = Position.ZERO;
  private MapVersion mapVersion = MapVersion.ZERO;
  private Position floor = Position.ZERO;
  private final Map<String, Position> closedAt = new LinkedHashMap<>();
  private final Map<String, KeyRange> hotReplicas = new LinkedHashMap<>();
  private final Map<String, Integer> loads = new HashMap<>();
  private long lastId;
  private final Map<String, Position> bases = new HashMap<>();
  private List<Bytes> cuts = List.of();
  private int pageRecordsMax = Integer.MAX_VALUE;
  private int leaseMillis = 30_000;
  private int commitsApplied;
  private long catalogVersion;
  private boolean aggregates = true;
  private int aggregatedPages;

  public FakeStore(String address) {
    putRange(KeyRange.ALL, address);
  }

  private void putRange(KeyRange keys, String address) {
    durable = durable.next();
    mapVersion = mapVersion.next();
    List<Route.Secondary> secondaries =
        closedAt.keySet().stream()
            .filter(other -> !other.equals(address))
            .map(other -> new Route.Secondary(node(other), other))
            .toList();
    Route route =
        new Route(
            new RangeId(++lastId),
            new Epoch(mapVersion.value()),
            keys,
            node(address),
            address,
            secondaries);
    ranges.put(keys.start(), route);
  }

  /** The id of the node at an address. */
  public static NodeId node(String address) {
    return new NodeId(Math.floorMod(address.hashCode(), 1000));
  }

  /** From now on a node has copies of all ranges that it is not the primary of, closed there. */
  public synchronized void follow(String address, Position closed) {
    boolean fresh = closedAt.put(address, closed) == null;
    if (fresh) {
      List.copyOf(ranges.values()).forEach(route -> putRange(route.keys(), route.address()));
    }
  }

  /**
   * The node has a hot-spot replica of these keys, to which others send for what it has all of;
   * with none, it has no hot-spot replica any more.
   */
  public synchronized void hotReplica(String address, Optional<KeyRange> keys) {
    keys.ifPresentOrElse(some -> hotReplicas.put(address, some), () -> hotReplicas.remove(address));
  }

  /** Pages of scans that are not the last say that the rest may be cut there. */
  public synchronized void cutAt(List<Bytes> keys) {
    cuts = List.copyOf(keys);
  }

  private boolean isHotReplica(String address, KeyRange keys) {
    KeyRange has = hotReplicas.get(address);
    return has != null && has.contains(keys);
  }

  private Optional<ClientReply> redirected(String address, KeyRange keys) {
    return hotReplicas.entrySet().stream()
        .filter(
            hotReplica ->
                !hotReplica.getKey().equals(address) && hotReplica.getValue().contains(keys))
        .<ClientReply>map(
            hotReplica ->
                new ClientReply.Redirect(
                    node(hotReplica.getKey()), hotReplica.getKey(), hotReplica.getValue()))
        .findFirst();
  }

  /** The node says that it has so many reads under way. */
  public synchronized void load(String address, int reads) {
    loads.put(address, reads);
  }

  /** From now on nodes are of a release that answers with records, asked for aggregates or not. */
  public synchronized void forgetAggregates() {
    aggregates = false;
  }

  /** How many pages of scans were answered with what was found of them. */
  public synchronized int aggregatedPages() {
    return aggregatedPages;
  }

  /** What is durable. */
  public synchronized Position durable() {
    return durable;
  }

  /** Cuts a range in two at a key; both halves get new ids. */
  public synchronized void split(Bytes at) {
    Route old = routeOf(at);
    if (!old.keys().start().equals(at)) {
      putRange(KeyRange.of(old.keys().start(), at), old.address());
      putRange(KeyRange.between(at, old.keys().end()), old.address());
    }
  }

  /** Makes the range that holds a key one with the one before it, at that one's node. */
  public synchronized void merge(Bytes key) {
    Route right = routeOf(key);
    Map.Entry<Bytes, Route> left = ranges.lowerEntry(right.keys().start());
    if (left != null) {
      ranges.remove(right.keys().start());
      putRange(KeyRange.between(left.getKey(), right.keys().end()), left.getValue().address());
    }
  }

  /** Moves the range that holds a key to a node, under a new epoch. */
  public synchronized void move(Bytes key, String address) {
    putRange(routeOf(key).keys(), address);
  }

  public synchronized Route routeOf(Bytes key) {
    return ranges.floorEntry(key).getValue();
  }

  /** No answer to a scan has more records than this. */
  public synchronized void pageRecordsMax(int records) {
    pageRecordsMax = records;
  }

  public synchronized void leaseMillis(int millis) {
    leaseMillis = millis;
  }

  /** Nothing below what is durable now can be read any more. */
  public synchronized void forgetHistory() {
    durable = durable.next();
    floor = durable;
  }

  /** No answer has more changes than this. */
  public synchronized void changesMax(int writes) {
    changes.writesMax(writes);
  }

  /** Changes of commits up to what is durable now are no longer told. */
  public synchronized void forgetChanges() {
    forgetChanges(durable);
  }

  /** Changes of commits up to a position are no longer told. */
  public synchronized void forgetChanges(Position through) {
    changes.keepFrom(through.next());
  }

  /** Nothing was committed yet, though some clients say so. */
  public synchronized void restoreTo(Position position) {
    durable = position;
  }

  public synchronized int commitsApplied() {
    return commitsApplied;
  }

  public synchronized int openLeases() {
    return leases.size();
  }

  /** The leases end, as when a connection breaks. */
  public synchronized void dropLeases() {
    leases.clear();
  }

  /** The newest value of a key. */
  public synchronized Optional<Bytes> newest(Bytes key) {
    return rowAt(key, durable).map(Row::value);
  }

  /** Writes a value past the client, as another client would. */
  public synchronized void write(Bytes key, Optional<Bytes> value) {
    durable = durable.next();
    versions.computeIfAbsent(key, k -> new TreeMap<>()).put(durable, value);
    changes.add(durable, List.of(new KeyWrite(key, value)));
  }

  ReadPoint point() {
    return new ReadPoint(durable, mapVersion);
  }

  /** Does a request as the node at an address; null for a request without a reply. */
  synchronized Optional<ClientReply> handle(String address, ClientRequest request) {
    if (request instanceof ClientRequest.EndSnapshot end) {
      leases.remove(end.lease());
      return Optional.empty();
    }
    return Optional.of(reply(address, request));
  }

  private ClientReply reply(String address, ClientRequest request) {
    if (request instanceof ClientRequest.Hello) {
      return new ClientReply.Welcome(1, "fake", new NodeId(1));
    } else if (request instanceof ClientRequest.Locate locate) {
      return new ClientReply.Located(routeOf(locate.key()), 0);
    } else if (request instanceof ClientRequest.Begin begin) {
      return begin.token().position().isAfter(durable)
          ? NOT_REACHED
          : new ClientReply.Begun(point(), 0, leaseMillis);
    } else if (request instanceof ClientRequest.BeginWith begin) {
      return beginWith(address, begin);
    } else if (request instanceof ClientRequest.BeginAt beginAt) {
      return tooOld(beginAt.position())
          .orElseGet(() -> lease(new ReadPoint(beginAt.position(), mapVersion)));
    } else if (request instanceof ClientRequest.RenewSnapshot renew) {
      Position position = leases.get(renew.lease());
      return position == null
          ? new ClientReply.Refused(RefusalCode.BAD_REQUEST, "no such lease")
          : new ClientReply.Begun(new ReadPoint(position, mapVersion), renew.lease(), leaseMillis);
    } else if (request instanceof ClientRequest.Get get) {
      return get(address, get);
    } else if (request instanceof ClientRequest.Scan scan) {
      return scan(address, scan);
    } else if (request instanceof ClientRequest.Commit commit) {
      return commit(commit);
    } else if (request instanceof ClientRequest.AskOutcome ask) {
      return outcomes.computeIfAbsent(
          ask.txn(), t -> new ClientReply.Aborted(new AbortReason.SettledByAsker(), point()));
    } else if (request instanceof ClientRequest.ReadChanges read) {
      return changes.answer(read, durable);
    } else if (request instanceof ClientRequest.Status status) {
      long most = status.rangesMax() == 0 ? Long.MAX_VALUE : status.rangesMax();
      KeyRange keys = status.keys().orElse(KeyRange.ALL);
      return new ClientReply.StatusReport(
          point(),
          List.of(),
          ranges.values().stream()
              .filter(route -> keys.overlaps(route.keys()))
              .limit(most)
              .toList());
    }
    return objectives
        .reply(address, request)
        .orElseThrow(() -> new IllegalStateException("no reply to " + request));
  }

  /** From now on objectives are kept by this. */
  public synchronized void objectives(FakeObjectives other) {
    objectives = other;
  }

  /** A copy that follows is read where it is closed, if the session has seen no more. */
  private ClientReply beginWith(String address, ClientRequest.BeginWith begin) {
    if (begin.token().position().isAfter(durable)) {
      return NOT_REACHED;
    }
    boolean follows =
        ranges.values().stream()
            .anyMatch(
                route -> route.range().equals(begin.read().range()) && follows(route, address));
    Position closed =
        follows && begin.level().kind() == ReadLevel.Kind.SESSION
            ? Position.min(closedAt.getOrDefault(address, Position.ZERO), durable)
            : durable;
    Position at = begin.token().position().isAfter(closed) ? durable : closed;
    ReadPoint point = new ReadPoint(at, mapVersion);
    ClientReply answer = reply(address, begin.read().at(point));
    return answer instanceof ClientReply.Answered answered
        ? new ClientReply.BegunWith(new ClientReply.Begun(point, 0, leaseMillis), answered)
        : answer;
  }

  private ClientReply lease(ReadPoint point) {
    leases.put(++lastId, point.position());
    return new ClientReply.Begun(point, lastId, leaseMillis);
  }

  private Optional<ClientReply> tooOld(Position position) {
    return floor.isAfter(position)
        ? Optional.of(new ClientReply.Refused(RefusalCode.SNAPSHOT_TOO_OLD, "floor " + floor))
        : Optional.empty();
  }

  /** The copies of a node were made at a position: they answer from there on. */
  public synchronized void base(String address, Position position) {
    bases.put(address, position);
  }

  private Optional<ClientReply> tooYoung(String address, Position position) {
    return Optional.ofNullable(bases.get(address))
        .filter(base -> base.isAfter(position))
        .map(base -> new ClientReply.Refused(RefusalCode.SNAPSHOT_TOO_OLD, "base " + base));
  }

  private Optional<ClientReply> notServed(
      String address, RangeId range, Epoch epoch, KeyRange keys) {
    Route now = routeOf(keys.start());
    boolean served =
        now.range().equals(range)
            && now.epoch().equals(epoch)
            && (now.address().equals(address)
                || follows(now, address)
                || isHotReplica(address, keys))
            && now.keys().contains(keys);
    return served ? Optional.empty() : Optional.of(new ClientReply.WrongRange(List.of(now)));
  }

  private static boolean follows(Route route, String address) {
    return route.secondaries().stream().anyMatch(copy -> copy.address().equals(address));
  }

  private Optional<ClientReply> behind(String address, Bytes key, Position at) {
    ReadSource source = source(address, routeOf(key));
    return source.role() == CopyRole.SECONDARY && at.isAfter(source.closed())
        ? Optional.of(new ClientReply.Behind(source))
        : Optional.empty();
  }

  private ClientReply get(String address, ClientRequest.Get get) {
    for (Bytes key : get.keys()) {
      Optional<ClientReply> refusal =
          notServed(address, get.range(), get.epoch(), KeyRange.single(key))
              .or(() -> behind(address, key, get.point().position()))
              .or(() -> tooOld(get.point().position()))
              .or(() -> tooYoung(address, get.point().position()))
              .or(
                  () ->
                      get.mayRedirect()
                          ? redirected(address, KeyRange.single(key))
                          : Optional.empty());
      if (refusal.isPresent()) {
        return refusal.get();
      }
    }
    List<Optional<Row>> rows = new ArrayList<>();
    long bytes = 0;
    for (Bytes key : get.keys()) {
      Optional<Row> row = rowAt(key, get.point().position());
      rows.add(row);
      bytes += row.isPresent() ? key.length() + row.get().value().length() : 0;
      if (bytes >= Limits.GET_BYTES_MAX) {
        break;
      }
    }
    return new ClientReply.Values(rows, source(address, routeOf(get.keys().get(0))));
  }

  private ReadSource source(String address, Route route) {
    int load = loads.getOrDefault(address, 0);
    if (!route.address().equals(address) && !follows(route, address)) {
      return new ReadSource(node(address), CopyRole.HOT_REPLICA, durable, durable, load);
    }
    return route.address().equals(address)
        ? new ReadSource(route.primary(), CopyRole.PRIMARY, durable, durable, load)
        : new ReadSource(
            node(address),
            CopyRole.SECONDARY,
            closedAt.getOrDefault(address, Position.ZERO),
            durable,
            load);
  }

  private ClientReply scan(String address, ClientRequest.Scan scan) {
    Optional<ClientReply> refusal =
        notServed(address, scan.range(), scan.epoch(), scan.interval())
            .or(() -> behind(address, scan.interval().start(), scan.point().position()))
            .or(() -> tooOld(scan.point().position()))
            .or(() -> tooYoung(address, scan.point().position()))
            .or(() -> scan.mayRedirect() ? redirected(address, scan.interval()) : Optional.empty());
    if (refusal.isPresent()) {
      return refusal.get();
    }
    KeyRange interval = scan.interval();
    NavigableMap<Bytes, NavigableMap<Position, Optional<Bytes>>> part =
        versions.tailMap(interval.start(), true);
    part = interval.end().isPresent() ? part.headMap(interval.end().get(), false) : part;
    List<Row> rows = new ArrayList<>();
    int max = Math.min(scan.recordsMax(), pageRecordsMax);
    for (Bytes key : (scan.reverse() ? part.descendingMap() : part).keySet()) {
      Optional<Row> row = rowAt(key, scan.point().position());
      if (row.isPresent()) {
        Row found = row.get();
        rows.add(scan.keysOnly() ? new Row(found.key(), found.version(), Bytes.EMPTY) : found);
        if (rows.size() == max) {
          return scanned(scan, rows, coveredUpTo(key, interval, scan.reverse()), address, cuts);
        }
      }
    }
    return scanned(scan, rows, interval, address, List.of());
  }

  private ClientReply scanned(
      ClientRequest.Scan scan,
      List<Row> rows,
      KeyRange covered,
      String address,
      List<Bytes> splitPoints) {
    ReadSource source = source(address, routeOf(scan.interval().start()));
    Optional<Folding.Page> page =
        aggregates
            ? scan.aggregate().flatMap(aggregate -> Folding.page(aggregate, rows))
            : Optional.empty();
    if (page.isEmpty()) {
      return new ClientReply.Scanned(rows, covered, source, splitPoints);
    }
    int taken = page.get().records();
    KeyRange part =
        taken < rows.size()
            ? coveredUpTo(rows.get(taken - 1).key(), scan.interval(), scan.reverse())
            : covered;
    aggregatedPages++;
    return new ClientReply.Scanned(page.get().rows(), part, source, splitPoints, true);
  }

  private static KeyRange coveredUpTo(Bytes key, KeyRange interval, boolean reverse) {
    return reverse
        ? KeyRange.between(key, interval.end())
        : KeyRange.of(interval.start(), key.successor());
  }

  private Optional<Row> rowAt(Bytes key, Position at) {
    NavigableMap<Position, Optional<Bytes>> history = versions.getOrDefault(key, new TreeMap<>());
    Map.Entry<Position, Optional<Bytes>> version = history.floorEntry(at);
    return version == null
        ? Optional.empty()
        : version.getValue().map(value -> new Row(key, version.getKey(), value));
  }

  private ClientReply commit(ClientRequest.Commit commit) {
    ClientReply known = outcomes.get(commit.txn());
    if (known != null) {
      return known;
    }
    if (commit.catalog().isEmpty() && catalogVersion > 0) {
      return new ClientReply.Refused(RefusalCode.BAD_REQUEST, "the store has a catalog");
    }
    ClientReply outcome =
        conflict(commit)
            .or(() -> otherCatalog(commit))
            .<ClientReply>map(c -> new ClientReply.Aborted(c, point()))
            .orElseGet(() -> apply(commit));
    outcomes.put(commit.txn(), outcome);
    return outcome;
  }

  /** Rule 27. */
  private Optional<AbortReason> otherCatalog(ClientRequest.Commit commit) {
    return commit
        .catalog()
        .filter(stamp -> stamp.version() != catalogVersion)
        .map(stamp -> new AbortReason.CatalogChanged(catalogVersion));
  }

  private ClientReply apply(ClientRequest.Commit commit) {
    durable = durable.next();
    commit
        .catalog()
        .filter(CatalogStamp::changes)
        .ifPresent(stamp -> catalogVersion = stamp.begins());
    commitsApplied++;
    changes.add(durable, commit.writes());
    for (KeyWrite write : commit.writes()) {
      Optional<Bytes> value = write.mutation().after(newest(write.key()));
      versions.computeIfAbsent(write.key(), k -> new TreeMap<>()).put(durable, value);
    }
    return new ClientReply.Committed(durable, point());
  }

  private Optional<AbortReason> conflict(ClientRequest.Commit commit) {
    if (floor.isAfter(commit.point().position())) {
      return Optional.of(new AbortReason.TooOld(floor));
    }
    List<KeyRange> checked = new ArrayList<>(commit.intervals());
    commit.reads().forEach(key -> checked.add(KeyRange.single(key)));
    if (commit.isolation() == Isolation.SNAPSHOT) {
      commit.writes().stream()
          .filter(write -> !write.mutation().isOperation())
          .forEach(write -> checked.add(KeyRange.single(write.key())));
    }
    for (KeyRange keys : checked) {
      Optional<Position> newer = newestIn(keys).filter(v -> v.isAfter(commit.point().position()));
      if (newer.isPresent()) {
        return Optional.of(
            new AbortReason.Conflict(routeOf(keys.start()).range(), keys, Optional.empty(), newer));
      }
    }
    return Optional.empty();
  }

  private Optional<Position> newestIn(KeyRange keys) {
    return versions.tailMap(keys.start(), true).entrySet().stream()
        .takeWhile(entry -> keys.isBelowEnd(entry.getKey()))
        .map(entry -> entry.getValue().lastKey())
        .reduce(Position::max);
  }
}
