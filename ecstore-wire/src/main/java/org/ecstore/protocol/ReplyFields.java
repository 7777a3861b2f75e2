package org.ecstore.protocol;

import java.util.List;
import java.util.OptionalLong;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply.Aborted;
import org.ecstore.protocol.ClientReply.Begun;
import org.ecstore.protocol.ClientReply.BegunWith;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.Located;
import org.ecstore.protocol.ClientReply.NodeHistoryLine;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientReply.QuotaLine;
import org.ecstore.protocol.ClientReply.Refused;
import org.ecstore.protocol.ClientReply.Scanned;
import org.ecstore.protocol.ClientReply.Values;
import org.ecstore.protocol.ClientReply.Welcome;
import org.ecstore.wire.OptionalField;
import org.ecstore.wire.OptionalFields;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** Fields of replies to the library; those for people are {@link InspectFields}. */
final class ReplyFields {
  /** Routes or nodes in one reply. */
  static final int LINES_MAX = 1 << 16;

  /** Keys that divide what is left of a scan. */
  private static final int CUTS_MAX = 256;

  /** Rows of one reply: a scan of the shortest keys without values stays below. */
  private static final int ROWS_MAX = 1 << 20;

  private static final OptionalField<Long> TRANSACTION_MAX =
      new OptionalField<>(
          16,
          "transaction max",
          "Welcome",
          "The heaviest transaction that the node takes (varint), if it does not take all.",
          WireWriter::varint,
          WireReader::natural);

  private static final OptionalField<Integer> AGAIN_MILLIS =
      new OptionalField<>(
          17,
          "again millis",
          "Refused",
          "When another try is worth it, in milliseconds (varint), if the node can tell.",
          (out, number) -> out.varint(number),
          ClientFields::readNaturalInt);

  private static final OptionalField<Integer> READ_RANK =
      new OptionalField<>(
          19,
          "read rank",
          "Welcome",
          "How well the node's engine reads (varint), if others read better: 1 in memory, 2 made"
              + " for writing. Of copies about as near those with the least are read (rule 23).",
          (out, number) -> out.varint(number),
          ClientFields::readNaturalInt);

  private static final OptionalField<Boolean> AGGREGATED =
      new OptionalField<>(
          20,
          "aggregated",
          "Scanned",
          "1, if the rows are of what was found of records (decision 0067).",
          WireWriter::bool,
          WireReader::bool);

  private static final OptionalField<Integer> PRECISE_CODE =
      new OptionalField<>(
          21,
          "precise code",
          "Refused",
          "The code (varint), if it is one that came later than that of the fixed fields: 6 of an"
              + " application that holds all that it may (decision 0080).",
          (out, number) -> out.varint(number),
          ClientFields::readNaturalInt);

  private static final int OVER_QUOTA = 6;

  private static final OptionalField<List<QuotaLine>> QUOTAS =
      new OptionalField<>(
          22,
          "quotas",
          "Objectives",
          "What applications with quotas hold, and whether what adds to it is refused (decision"
              + " 0080).",
          StewardFields::writeQuotas,
          StewardFields::readQuotas);

  private static final OptionalField<Long> HOT_THRESHOLD =
      new OptionalField<>(
          25,
          "hot threshold",
          "Control",
          "From how many reads a second of a copy on there are hot-spot replicas, as the controller"
              + " has lowered it (varint), 0 if it has not; if the node says.",
          WireWriter::varint,
          WireReader::natural);

  private static final OptionalField<Integer> PATIENCE =
      new OptionalField<>(
          23,
          "patience",
          "Control",
          "For how many windows something must be able to go until the controller takes it back"
              + " (varint), if the node says.",
          (out, number) -> out.varint(number),
          ClientFields::readNaturalInt);

  private static final OptionalField<List<NodeHistoryLine>> NODES =
      new OptionalField<>(
          24,
          "nodes",
          "Objectives",
          "What each node had to do in slots of half a minute (decision 0077).",
          StewardFields::writeNodeHistories,
          StewardFields::readNodeHistories);

  /** Their table. */
  static final List<OptionalField<?>> OPTIONAL =
      OptionalField.table(
          List.of(
              TRANSACTION_MAX,
              AGAIN_MILLIS,
              InspectFields.TRAITS,
              READ_RANK,
              AGGREGATED,
              PRECISE_CODE,
              QUOTAS,
              PATIENCE,
              NODES,
              HOT_THRESHOLD));

  private ReplyFields() {}

  static void writeWelcomeOptions(WireWriter out, Welcome welcome) {
    if (welcome.transactionMax() != 0) {
      TRANSACTION_MAX.write(out, welcome.transactionMax());
    }
    if (welcome.readRank() != 0) {
      READ_RANK.write(out, welcome.readRank());
    }
  }

  static Welcome withWelcomeOptions(Welcome welcome, OptionalFields fields) {
    return new Welcome(
        welcome.protocolVersion(),
        welcome.clusterId(),
        welcome.node(),
        fields.get(TRANSACTION_MAX).orElse(0L),
        fields.get(READ_RANK).orElse(0));
  }

  static void writeRefused(WireWriter out, Refused refused) {
    ClientFields.writeRefusalCode(out, refused.code());
    out.text(refused.detail());
  }

  static Refused readRefused(WireReader in) {
    return new Refused(ClientFields.readRefusalCode(in), in.text());
  }

  static void writeRefusedOptions(WireWriter out, Refused refused) {
    if (refused.againMillis() != 0) {
      AGAIN_MILLIS.write(out, refused.againMillis());
    }
    if (refused.code() == RefusalCode.OVER_QUOTA) {
      PRECISE_CODE.write(out, OVER_QUOTA);
    }
  }

  /** A code that is not known here either is that of the fixed fields. */
  static Refused withRefusedOptions(Refused refused, OptionalFields fields) {
    boolean isOverQuota =
        refused.code() == RefusalCode.TOO_LARGE
            && fields.get(PRECISE_CODE).filter(code -> code == OVER_QUOTA).isPresent();
    return new Refused(
        isOverQuota ? RefusalCode.OVER_QUOTA : refused.code(),
        refused.detail(),
        fields.get(AGAIN_MILLIS).orElse(0));
  }

  static void writeObjectivesOptions(WireWriter out, Objectives objectives) {
    if (!objectives.quotas().isEmpty()) {
      QUOTAS.write(out, objectives.quotas());
    }
    if (!objectives.nodes().isEmpty()) {
      NODES.write(out, objectives.nodes());
    }
  }

  static Objectives withObjectivesOptions(Objectives objectives, OptionalFields fields) {
    return objectives.with(
        fields.get(QUOTAS).orElse(List.of()), fields.get(NODES).orElse(List.of()));
  }

  static void writeControlOptions(WireWriter out, Control control) {
    if (control.patience() != 0) {
      PATIENCE.write(out, control.patience());
    }
    if (control.hotThreshold().isPresent()) {
      HOT_THRESHOLD.write(out, control.hotThreshold().getAsLong());
    }
  }

  static Control withControlOptions(Control control, OptionalFields fields) {
    return control.with(
        fields.get(PATIENCE).orElse(0),
        fields.get(HOT_THRESHOLD).map(OptionalLong::of).orElseGet(OptionalLong::empty));
  }

  static void writeLocated(WireWriter out, Located located) {
    ClientFields.writeRoute(out, located.route());
    out.varint(located.hops());
  }

  static Located readLocated(WireReader in) {
    return new Located(ClientFields.readRoute(in), ClientFields.readNaturalInt(in));
  }

  static void writeBegun(WireWriter out, Begun begun) {
    out.point(begun.point()).varint(begun.lease()).varint(begun.leaseMillis());
  }

  static Begun readBegun(WireReader in) {
    return new Begun(in.point(), in.varint(), ClientFields.readNaturalInt(in));
  }

  static void writeBegunWith(WireWriter out, BegunWith both) {
    writeBegun(out, both.begun());
    ReplyTable.ROWS.writeNested(out, both.answer());
  }

  static BegunWith readBegunWith(WireReader in) {
    return new BegunWith(readBegun(in), ReplyTable.ROWS.readNested(in, ClientReply.Answered.class));
  }

  static void writeValues(WireWriter out, Values values) {
    out.list(values.rows(), (to, row) -> to.optional(row, ClientFields::writeRow));
    ClientFields.writeReadSource(out, values.source());
  }

  static Values readValues(WireReader in) {
    return new Values(
        in.list(ROWS_MAX, from -> from.optional(ClientFields::readRow)),
        ClientFields.readReadSource(in));
  }

  static void writeScanned(WireWriter out, Scanned scanned) {
    out.list(scanned.rows(), ClientFields::writeRow).range(scanned.covered());
    ClientFields.writeReadSource(out, scanned.source());
    out.list(scanned.splitPoints(), WireWriter::bytes);
  }

  static Scanned readScanned(WireReader in) {
    return new Scanned(
        in.list(ROWS_MAX, ClientFields::readRow),
        ClientFields.readInterval(in),
        ClientFields.readReadSource(in),
        in.list(CUTS_MAX, ClientFields::readKey));
  }

  static void writeAggregated(WireWriter out, Scanned scanned) {
    if (scanned.aggregated()) {
      AGGREGATED.write(out, true);
    }
  }

  static Scanned withAggregated(Scanned scanned, OptionalFields fields) {
    return new Scanned(
        scanned.rows(),
        scanned.covered(),
        scanned.source(),
        scanned.splitPoints(),
        fields.get(AGGREGATED).orElse(false));
  }

  static void writeAborted(WireWriter out, Aborted aborted) {
    ClientFields.writeAbortReason(out, aborted.reason());
    out.point(aborted.point());
  }

  static Aborted readAborted(WireReader in) {
    return new Aborted(ClientFields.readAbortReason(in), in.point());
  }
}
