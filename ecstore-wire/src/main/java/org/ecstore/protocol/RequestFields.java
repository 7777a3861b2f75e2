package org.ecstore.protocol;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.aggregate.Aggregate;
import org.ecstore.model.CatalogStamp;
import org.ecstore.protocol.ClientRequest.Administer;
import org.ecstore.protocol.ClientRequest.Begin;
import org.ecstore.protocol.ClientRequest.BeginWith;
import org.ecstore.protocol.ClientRequest.Commit;
import org.ecstore.protocol.ClientRequest.Get;
import org.ecstore.protocol.ClientRequest.Hello;
import org.ecstore.protocol.ClientRequest.Scan;
import org.ecstore.protocol.ClientRequest.Status;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.OptionalField;
import org.ecstore.wire.OptionalFields;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** Fields of requests. */
final class RequestFields {
  private static final OptionalField<Integer> LOWEST_VERSION =
      new OptionalField<>(
          16,
          "lowest version",
          "Hello",
          "The lowest version that the client speaks (varint), if it is not the highest as well.",
          (out, number) -> out.varint(number),
          ClientFields::readNaturalInt);

  private static final OptionalField<Long> CATALOG_VERSION =
      new OptionalField<>(
          4,
          "catalog version",
          "Commit",
          "The version of the catalog that the transaction was made under (varint).",
          WireWriter::varint,
          WireReader::natural);

  private static final OptionalField<Boolean> CHANGES_CATALOG =
      new OptionalField<>(
          17,
          "changes catalog",
          "Commit",
          "1, if the transaction changes the catalog (rule 27).",
          WireWriter::bool,
          WireReader::bool);

  private static final OptionalField<Aggregate> AGGREGATE =
      new OptionalField<>(
          18,
          "aggregate",
          "Scan",
          "What to find of the records instead of them (decision 0067).",
          Aggregate::write,
          Aggregate::read);

  private static final OptionalField<Integer> RANGES_MAX =
      new OptionalField<>(
          19,
          "ranges max",
          "Status",
          "How many ranges are told at most (varint), the first ones; all without it.",
          (out, most) -> out.varint(most),
          ClientFields::readNaturalInt);

  /** Their table. */
  static final List<OptionalField<?>> OPTIONAL = optional();

  private RequestFields() {}

  private static List<OptionalField<?>> optional() {
    List<OptionalField<?>> fields = new ArrayList<>(RequestOptions.FIELDS);
    fields.add(CATALOG_VERSION);
    fields.add(LOWEST_VERSION);
    fields.add(CHANGES_CATALOG);
    fields.add(AGGREGATE);
    fields.add(RANGES_MAX);
    return OptionalField.table(fields);
  }

  static void writeLowestVersion(WireWriter out, Hello hello) {
    if (hello.lowestVersion() != hello.protocolVersion()) {
      LOWEST_VERSION.write(out, hello.lowestVersion());
    }
  }

  static Hello withLowestVersion(Hello hello, OptionalFields fields) {
    int lowest = fields.get(LOWEST_VERSION).orElse(hello.protocolVersion());
    return new Hello(hello.protocolVersion(), hello.clientName(), lowest);
  }

  static void writeRangesMax(WireWriter out, Status status) {
    if (status.rangesMax() > 0) {
      RANGES_MAX.write(out, status.rangesMax());
    }
  }

  static Status withRangesMax(Status status, OptionalFields fields) {
    return new Status(status.keys(), fields.get(RANGES_MAX).orElse(0));
  }

  static void writeCatalog(WireWriter out, Commit commit) {
    if (commit.catalog().isPresent()) {
      CATALOG_VERSION.write(out, commit.catalog().get().version());
      if (commit.catalog().get().changes()) {
        CHANGES_CATALOG.write(out, true);
      }
    }
  }

  static Commit withCatalog(Commit commit, OptionalFields fields) {
    boolean changes = fields.get(CHANGES_CATALOG).orElse(false);
    if (changes && fields.get(CATALOG_VERSION).isEmpty()) {
      throw new MalformedMessageException("a change of the catalog without its version");
    }
    return fields
        .get(CATALOG_VERSION)
        .map(version -> commit.by(new CatalogStamp(version, changes)))
        .orElse(commit);
  }

  static void writeBegin(WireWriter out, Begin begin) {
    ClientFields.writeReadLevel(out, begin.level());
    out.point(begin.token());
  }

  static Begin readBegin(WireReader in) {
    return new Begin(ClientFields.readReadLevel(in), in.point());
  }

  static void writeBeginWith(WireWriter out, BeginWith begin) {
    ClientFields.writeReadLevel(out, begin.level());
    out.point(begin.token());
    RequestTable.ROWS.writeNested(out, begin.read());
  }

  static BeginWith readBeginWith(WireReader in) {
    return new BeginWith(
        ClientFields.readReadLevel(in),
        in.point(),
        RequestTable.ROWS.readNested(in, ClientRequest.Read.class));
  }

  static void writeGet(WireWriter out, Get get) {
    out.point(get.point()).rangeId(get.range()).epoch(get.epoch());
    out.list(get.keys(), WireWriter::bytes).bool(get.mayRedirect());
  }

  static Get readGet(WireReader in) {
    return new Get(
        in.point(),
        in.rangeId(),
        in.epoch(),
        in.list(Limits.GET_KEYS_MAX, ClientFields::readKey),
        in.bool());
  }

  static void writeScan(WireWriter out, Scan scan) {
    out.point(scan.point()).rangeId(scan.range()).epoch(scan.epoch()).range(scan.interval());
    out.bool(scan.reverse()).varint(scan.recordsMax()).bool(scan.keysOnly());
    out.bool(scan.mayRedirect());
  }

  static Scan readScan(WireReader in) {
    return new Scan(
        in.point(),
        in.rangeId(),
        in.epoch(),
        ClientFields.readInterval(in),
        in.bool(),
        ClientFields.readNaturalInt(in),
        in.bool(),
        in.bool());
  }

  static void writeAggregate(WireWriter out, Scan scan) {
    if (scan.aggregate().isPresent()) {
      AGGREGATE.write(out, scan.aggregate().get());
    }
  }

  static Scan withAggregate(Scan scan, OptionalFields fields) {
    return fields.get(AGGREGATE).map(scan::of).orElse(scan);
  }

  static void writeCommit(WireWriter out, Commit commit) {
    out.txn(commit.txn()).point(commit.point());
    ClientFields.writeIsolation(out, commit.isolation());
    out.list(commit.reads(), WireWriter::bytes);
    out.list(commit.intervals(), WireWriter::range);
    out.list(commit.writes(), ClientFields::writeKeyWrite);
    out.varint(commit.timeoutMillis());
  }

  static Commit readCommit(WireReader in) {
    var txn = in.txn();
    var point = in.point();
    var isolation = ClientFields.readIsolation(in);
    int itemsMax = Limits.TRANSACTION_ITEMS_MAX;
    var reads = KeyOrder.readKeys(in, itemsMax);
    itemsMax -= reads.size();
    var intervals = KeyOrder.readIntervals(in, itemsMax);
    itemsMax -= intervals.size();
    var writes = KeyOrder.readWrites(in, itemsMax);
    int timeoutMillis = ClientFields.readNaturalInt(in);
    return new Commit(txn, point, isolation, reads, intervals, writes, timeoutMillis);
  }

  static void writeAdminister(WireWriter out, Administer operate) {
    StewardFields.writeAdminRequest(out, operate.adminRequest());
    out.varint(operate.id()).bytes(operate.proof());
  }

  static Administer readAdminister(WireReader in) {
    return new Administer(
        StewardFields.readAdminRequest(in), in.natural(), in.bytes(Limits.PROOF_BYTES_MAX));
  }
}
