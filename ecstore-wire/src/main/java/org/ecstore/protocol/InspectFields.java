package org.ecstore.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.CopyState;
import org.ecstore.model.NodeFact;
import org.ecstore.model.NodeRole;
import org.ecstore.model.NodeTraits;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.ecstore.protocol.ClientReply.DiskRoom;
import org.ecstore.protocol.ClientReply.Explained;
import org.ecstore.protocol.ClientReply.Holders;
import org.ecstore.protocol.ClientReply.HotReplicasFed;
import org.ecstore.protocol.ClientReply.HotReplicasSeen;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.NodeLine;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientReply.TraitsLine;
import org.ecstore.wire.Limits;
import org.ecstore.wire.OptionalField;
import org.ecstore.wire.OptionalFields;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** Fields of replies for people: nodes, ranges and copies as a node sees them. */
final class InspectFields {
  private static final int LINES_MAX = ReplyFields.LINES_MAX;

  /** What one node does. */
  private static final int ROLES_MAX = 16;

  private static final String ROLE_END = ", ";

  /** Well within what the optional fields of a message may take. */
  private static final int TRAITS_BYTES_MAX = Limits.OPTIONAL_BYTES_MAX - 64;

  static final OptionalField<List<TraitsLine>> TRAITS =
      new OptionalField<>(
          18,
          "traits",
          "StatusReport",
          "Of each node: its number, the label of its host, and its traits as text.",
          (out, lines) -> out.list(lines, InspectFields::writeTraitsLine),
          in -> in.list(LINES_MAX, InspectFields::readTraitsLine));

  private InspectFields() {}

  static void writeStatus(WireWriter out, StatusReport report) {
    out.point(report.point()).list(report.nodes(), InspectFields::writeNodeLine);
    out.list(report.ranges(), ClientFields::writeRoute);
    out.list(report.holders(), InspectFields::writeHolders);
  }

  static StatusReport readStatus(WireReader in) {
    return new StatusReport(
        in.point(),
        in.list(LINES_MAX, InspectFields::readNodeLine),
        in.list(Limits.STATUS_RANGES_MAX, ClientFields::readRoute),
        in.list(Limits.STATUS_RANGES_MAX, InspectFields::readHolders));
  }

  /** Of as many nodes as there is room for. */
  static void writeTraits(WireWriter out, StatusReport report) {
    List<TraitsLine> lines = new ArrayList<>();
    int room = TRAITS_BYTES_MAX;
    for (TraitsLine line : report.traits()) {
      room -= traitsLine(line).length();
      if (room < 0) {
        break;
      }
      lines.add(line);
    }
    if (!lines.isEmpty()) {
      TRAITS.write(out, lines);
    }
  }

  static StatusReport withTraits(StatusReport report, OptionalFields fields) {
    return new StatusReport(
        report.point(),
        report.nodes(),
        report.ranges(),
        report.holders(),
        fields.get(TRAITS).orElse(List.of()));
  }

  private static Bytes traitsLine(TraitsLine line) {
    WireWriter out = new WireWriter();
    writeTraitsLine(out, line);
    return out.toBytes();
  }

  private static void writeTraitsLine(WireWriter out, TraitsLine line) {
    out.node(line.node()).text(line.host()).text(line.traits().text());
  }

  private static TraitsLine readTraitsLine(WireReader in) {
    return new TraitsLine(in.node(), in.text(), NodeTraits.parse(in.text()));
  }

  static void writeInspected(WireWriter out, Inspected inspected) {
    out.node(inspected.node()).varint(inspected.incarnation()).text(inspected.waitsFor());
    out.list(said(inspected), WireWriter::text);
    out.optional(inspected.leader(), WireWriter::node).point(inspected.point());
    out.list(inspected.copies(), InspectFields::writeCopyLine);
    HotReplicasSeen hotReplicas = inspected.hotReplicas();
    out.varint(hotReplicas.held()).varint(hotReplicas.bytes()).varint(hotReplicas.milliReads());
    out.list(hotReplicas.fed(), (to, fed) -> to.rangeId(fed.range()).varint(fed.hotReplicas()));
    out.list(
        inspected.rooms(),
        (to, room) -> to.text(room.of()).varint(room.bytesFree()).varint(room.bytes()));
  }

  /** Roles by their words and facts by their texts, in one list: as it was when both were texts. */
  private static List<String> said(Inspected inspected) {
    return Stream.concat(
            inspected.roles().stream().map(NodeRole::word),
            inspected.facts().stream().map(NodeFact::toString))
        .toList();
  }

  static Inspected readInspected(WireReader in) {
    NodeId node = in.node();
    long incarnation = in.varint();
    String waitsFor = in.text();
    List<String> said = in.list(ROLES_MAX, WireReader::text);
    return new Inspected(
        node,
        incarnation,
        waitsFor,
        said.stream().filter(text -> !NodeFact.isFact(text)).map(NodeRole::of).toList(),
        said.stream().filter(NodeFact::isFact).map(NodeFact::parse).toList(),
        in.optional(WireReader::node),
        in.point(),
        in.list(LINES_MAX, InspectFields::readCopyLine),
        readHotReplicas(in),
        in.list(ROLES_MAX, InspectFields::readRoom));
  }

  static void writeExplained(WireWriter out, Explained explained) {
    out.node(explained.node()).point(explained.point());
    out.optional(explained.copy(), InspectFields::writeCopyLine);
    out.optional(explained.next(), InspectFields::writeNodeLine);
    out.optional(explained.inMap(), ClientFields::writeRoute);
  }

  static Explained readExplained(WireReader in) {
    return new Explained(
        in.node(),
        in.point(),
        in.optional(InspectFields::readCopyLine),
        in.optional(InspectFields::readNodeLine),
        in.optional(ClientFields::readRoute));
  }

  private static DiskRoom readRoom(WireReader in) {
    return new DiskRoom(in.text(), in.natural(), in.natural());
  }

  private static HotReplicasSeen readHotReplicas(WireReader in) {
    return new HotReplicasSeen(
        ClientFields.readNaturalInt(in),
        in.natural(),
        in.natural(),
        in.list(
            LINES_MAX, one -> new HotReplicasFed(one.rangeId(), ClientFields.readNaturalInt(one))));
  }

  private static void writeHolders(WireWriter out, Holders holders) {
    out.rangeId(holders.range()).optional(holders.home(), WireWriter::node);
    out.list(holders.secondaries(), WireWriter::node);
  }

  private static Holders readHolders(WireReader in) {
    return new Holders(
        in.rangeId(), in.optional(WireReader::node), in.list(LINES_MAX, WireReader::node));
  }

  private static void writeCopyLine(WireWriter out, CopyLine line) {
    out.rangeId(line.range()).epoch(line.epoch()).range(line.keys()).text(line.state().word());
    out.position(line.base()).position(line.closed()).position(line.durable());
  }

  private static CopyLine readCopyLine(WireReader in) {
    return new CopyLine(
        in.rangeId(),
        in.epoch(),
        ClientFields.readInterval(in),
        CopyState.of(in.text()),
        in.position(),
        in.position(),
        in.position());
  }

  private static void writeNodeLine(WireWriter out, NodeLine line) {
    out.node(line.node()).text(line.address()).text(NodeRole.words(line.roles()));
  }

  private static List<NodeRole> roles(String words) {
    return words.isEmpty()
        ? List.of()
        : Arrays.stream(words.split(ROLE_END, ROLES_MAX)).map(NodeRole::of).toList();
  }

  private static NodeLine readNodeLine(WireReader in) {
    return new NodeLine(in.node(), in.text(), roles(in.text()));
  }
}
