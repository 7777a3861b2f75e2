package org.ecstore.protocol;

import java.util.List;
import java.util.Optional;
import org.ecstore.aggregate.Aggregate;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.ChangeMark;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Quorum;
import org.ecstore.model.ReadLevel;

/** What a client asks a node. Every request but {@link EndSnapshot} has exactly one reply. */
public sealed interface ClientRequest {
  /**
   * The first message on a connection.
   *
   * @param protocolVersion the highest version that the client speaks
   * @param lowestVersion the lowest
   */
  record Hello(int protocolVersion, String clientName, int lowestVersion) implements ClientRequest {
    /** From a client of one version. */
    public Hello(int protocolVersion, String clientName) {
      this(protocolVersion, clientName, protocolVersion);
    }

    /** From a client of some versions. */
    public Hello(ProtocolVersions versions, String clientName) {
      this(versions.highest(), clientName, versions.lowest());
    }

    /** What the client speaks. */
    public ProtocolVersions versions() {
      return new ProtocolVersions(lowestVersion, protocolVersion);
    }
  }

  /** Who serves this key? */
  record Locate(Bytes key) implements ClientRequest {}

  /**
   * Fixes a snapshot (rule 9), no earlier than the session's token. It is not leased: a client that
   * still reads it later leases it by {@link BeginAt} (decision 0022).
   */
  record Begin(ReadLevel level, ReadPoint token) implements ClientRequest {}

  /**
   * Fixes a snapshot as {@link Begin} does, and reads at it what comes first.
   *
   * @param read what is read; its own point is ignored
   */
  record BeginWith(ReadLevel level, ReadPoint token, Read read) implements ClientRequest {}

  /** What is read of one range at a snapshot. */
  sealed interface Read extends ClientRequest {
    /** Of which range. */
    RangeId range();

    /** Under which epoch. */
    Epoch epoch();

    /** The same at another point. */
    Read at(ReadPoint other);
  }

  /**
   * Fixes a snapshot at a position the client names; refused if it is too old or not reached. The
   * node keeps its versions while the lease lasts (rule 14).
   */
  record BeginAt(Position position) implements ClientRequest {}

  /** Prolongs a snapshot's lease. */
  record RenewSnapshot(long lease) implements ClientRequest {}

  /** The snapshot is not needed any more. No reply. */
  record EndSnapshot(long lease) implements ClientRequest {}

  /**
   * Reads keys of one range at a snapshot.
   *
   * @param mayRedirect a copy that is busy may name a hot-spot replica of it instead (rule 26): for
   *     read-only work
   */
  record Get(ReadPoint point, RangeId range, Epoch epoch, List<Bytes> keys, boolean mayRedirect)
      implements Read {
    /** One that is answered here or not at all. */
    public Get(ReadPoint point, RangeId range, Epoch epoch, List<Bytes> keys) {
      this(point, range, epoch, keys, false);
    }

    @Override
    public Get at(ReadPoint other) {
      return new Get(other, range, epoch, keys, mayRedirect);
    }
  }

  /**
   * Reads an interval of one range at a snapshot, from its start or, in reverse, from its end,
   * until a limit of records or {@link org.ecstore.wire.Limits#SCAN_BYTES_MAX}. With {@code
   * keysOnly} values are empty.
   *
   * @param aggregate what to find of the records instead of them (decision 0067)
   */
  record Scan(
      ReadPoint point,
      RangeId range,
      Epoch epoch,
      KeyRange interval,
      boolean reverse,
      int recordsMax,
      boolean keysOnly,
      boolean mayRedirect,
      Optional<Aggregate> aggregate)
      implements Read {
    /** One of records. */
    public Scan(
        ReadPoint point,
        RangeId range,
        Epoch epoch,
        KeyRange interval,
        boolean reverse,
        int recordsMax,
        boolean keysOnly,
        boolean mayRedirect) {
      this(
          point,
          range,
          epoch,
          interval,
          reverse,
          recordsMax,
          keysOnly,
          mayRedirect,
          Optional.empty());
    }

    /** One that is answered here or not at all. */
    public Scan(
        ReadPoint point,
        RangeId range,
        Epoch epoch,
        KeyRange interval,
        boolean reverse,
        int recordsMax,
        boolean keysOnly) {
      this(point, range, epoch, interval, reverse, recordsMax, keysOnly, false);
    }

    /** The same, of what is found of the records. */
    public Scan of(Aggregate found) {
      return new Scan(
          point,
          range,
          epoch,
          interval,
          reverse,
          recordsMax,
          keysOnly,
          mayRedirect,
          Optional.of(found));
    }

    @Override
    public Scan at(ReadPoint other) {
      return new Scan(
          other, range, epoch, interval, reverse, recordsMax, keysOnly, mayRedirect, aggregate);
    }
  }

  /**
   * Commits. The node becomes the transaction's coordinator. Reads and intervals are empty under
   * snapshot isolation. Keys read and keys written ascend, each once; intervals ascend and do not
   * overlap: a request that breaks this is malformed. The node answers before {@code timeoutMillis}
   * have passed, with "unknown" if it must.
   *
   * @param catalog absent from a client that knows of no catalog: it is refused once there is one
   */
  record Commit(
      TxnId txn,
      ReadPoint point,
      Isolation isolation,
      List<Bytes> reads,
      List<KeyRange> intervals,
      List<KeyWrite> writes,
      int timeoutMillis,
      Optional<CatalogStamp> catalog)
      implements ClientRequest {
    /** One of a client that knows of no catalog. */
    public Commit(
        TxnId txn,
        ReadPoint point,
        Isolation isolation,
        List<Bytes> reads,
        List<KeyRange> intervals,
        List<KeyWrite> writes,
        int timeoutMillis) {
      this(txn, point, isolation, reads, intervals, writes, timeoutMillis, Optional.empty());
    }

    /** The same by what a client knows of the catalog. */
    public Commit by(CatalogStamp stamp) {
      return new Commit(
          txn, point, isolation, reads, intervals, writes, timeoutMillis, Optional.of(stamp));
    }
  }

  /** What became of a transaction? Settles it as aborted if it was never submitted (rule 5). */
  record AskOutcome(TxnId txn, ReadPoint point) implements ClientRequest {}

  /**
   * Reads one key from a quorum of copies, outside transactions (rule 13). The node becomes the
   * coordinator of the read and answers before {@code timeoutMillis} have passed.
   *
   * @param seen what the client has seen already: a node that has not heard of it does not know who
   *     has the key's copies now, and catches up first
   */
  record QuorumGet(Bytes key, Quorum quorum, ReadPoint seen, int timeoutMillis)
      implements ClientRequest {}

  /**
   * Waits until W copies of the range of each key have every commit through a number (rule 13). The
   * node answers before {@code timeoutMillis} have passed, with fewer copies if it must.
   */
  record QuorumWait(Position number, List<Bytes> keys, Quorum quorum, int timeoutMillis)
      implements ClientRequest {}

  /**
   * Reads the commits above a mark that wrote to some intervals (rule 29): in order, each once,
   * none that is not durable. The node answers as soon as it has found some. Where there are none
   * it waits for {@code waitMillis}, and then answers that there were none until a position that
   * the sequencer has confirmed.
   *
   * @param mark how far the reader has come
   * @param intervals ascending, apart, {@link org.ecstore.wire.Limits#CHANGES_INTERVALS_MAX} at
   *     most
   * @param bytesMax of keys and values in the answer, about; the node has bounds of its own
   */
  record ReadChanges(ChangeMark mark, List<KeyRange> intervals, int bytesMax, int waitMillis)
      implements ClientRequest {}

  /**
   * Nodes and ranges, for people; absent means all tables.
   *
   * @param rangesMax how many ranges are told at most, the first ones; 0 for all
   */
  record Status(Optional<KeyRange> keys, int rangesMax) implements ClientRequest {
    /** One that is told all ranges. */
    public Status(Optional<KeyRange> keys) {
      this(keys, 0);
    }
  }

  /** This node, as it sees itself. Answered by a node that does not serve yet, too. */
  record Inspect() implements ClientRequest {}

  /**
   * Where this node would look for a key, by its own links and copies only.
   *
   * @param from the node whose link led here; absent at the first
   */
  record Explain(Bytes key, Optional<NodeId> from) implements ClientRequest {}

  /**
   * To any node, which hands it to the steward: change the ranges. The answer says what it did.
   *
   * @param id of the request, not negative: told again with the same id, to whatever node, it is
   *     the same request, and the answer says what has come of it by now; 0 for one without an id,
   *     which is another one each time
   * @param proof that who requests has the cluster's secret: an HMAC over the challenge that the
   *     node gave last on this connection and over the request; empty within the node's own process
   */
  record Administer(AdminRequest adminRequest, long id, Bytes proof) implements ClientRequest {
    /** A request without a proof. */
    public Administer(AdminRequest adminRequest, long id) {
      this(adminRequest, id, Bytes.EMPTY);
    }

    /** A request without an id and without a proof. */
    public Administer(AdminRequest adminRequest) {
      this(adminRequest, 0);
    }

    /** The same with another proof. */
    public Administer with(Bytes other) {
      return new Administer(adminRequest, id, other);
    }
  }

  /** What must the proof of the next request on this connection be about? Each is good for one. */
  record AskChallenge() implements ClientRequest {}

  /**
   * To any node: what has the steward decided?
   *
   * @param range about which; all if absent
   */
  record AskDecisions(Optional<RangeId> range) implements ClientRequest {}

  /**
   * To any node: how is what there is spread over nodes, and what would the steward do about it?
   */
  record ExplainBalance() implements ClientRequest {}

  /** To any node: what are applications promised, and how was that changed? */
  record AskObjectives() implements ClientRequest {}

  /** To any node: what does the controller do, and what may it? */
  record AskControl() implements ClientRequest {}

  /** To any node: by which performance tables does the controller go? */
  record AskTables() implements ClientRequest {}

  /** To any node: what is in the performance table of that name that the cluster keeps? */
  record AskWholeTable(String name) implements ClientRequest {}
}
