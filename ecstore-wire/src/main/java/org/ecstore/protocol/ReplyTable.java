package org.ecstore.protocol;

import java.util.List;
import org.ecstore.protocol.ClientReply.Aborted;
import org.ecstore.protocol.ClientReply.Balance;
import org.ecstore.protocol.ClientReply.Begun;
import org.ecstore.protocol.ClientReply.BegunWith;
import org.ecstore.protocol.ClientReply.Behind;
import org.ecstore.protocol.ClientReply.Challenge;
import org.ecstore.protocol.ClientReply.ChangesLost;
import org.ecstore.protocol.ClientReply.ChangesRead;
import org.ecstore.protocol.ClientReply.Committed;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.Explained;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.Located;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientReply.OutcomeExpired;
import org.ecstore.protocol.ClientReply.OutcomeUnknown;
import org.ecstore.protocol.ClientReply.QuorumReached;
import org.ecstore.protocol.ClientReply.QuorumValue;
import org.ecstore.protocol.ClientReply.Redirect;
import org.ecstore.protocol.ClientReply.Refused;
import org.ecstore.protocol.ClientReply.Scanned;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientReply.Tables;
import org.ecstore.protocol.ClientReply.Values;
import org.ecstore.protocol.ClientReply.Welcome;
import org.ecstore.protocol.ClientReply.WholeTable;
import org.ecstore.protocol.ClientReply.WrongRange;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.OptionalField;

/** The table of replies: numbers 64 to 127. */
public final class ReplyTable {
  static final MessageTable<ClientReply> ROWS =
      MessageTable.of(ClientReply.class, "type of reply", 64, 127)
          .since(1)
          .row(
              65,
              Welcome.class,
              (out, welcome) ->
                  out.i32(welcome.protocolVersion()).text(welcome.clusterId()).node(welcome.node()),
              in -> new Welcome(in.i32(), in.text(), in.node()),
              new MessageTable.Optionals<>(
                  ReplyFields::writeWelcomeOptions, ReplyFields::withWelcomeOptions))
          .row(66, Located.class, ReplyFields::writeLocated, ReplyFields::readLocated)
          .row(67, Begun.class, ReplyFields::writeBegun, ReplyFields::readBegun)
          .row(68, Values.class, ReplyFields::writeValues, ReplyFields::readValues)
          .row(
              69,
              Scanned.class,
              ReplyFields::writeScanned,
              ReplyFields::readScanned,
              new MessageTable.Optionals<>(
                  ReplyFields::writeAggregated, ReplyFields::withAggregated))
          .row(
              70,
              Committed.class,
              (out, committed) -> out.position(committed.number()).point(committed.point()),
              in -> new Committed(in.position(), in.point()))
          .row(71, Aborted.class, ReplyFields::writeAborted, ReplyFields::readAborted)
          .row(
              72,
              OutcomeUnknown.class,
              (out, unknown) -> out.text(unknown.detail()),
              in -> new OutcomeUnknown(in.text()))
          .row(
              73,
              OutcomeExpired.class,
              (out, expired) -> out.position(expired.floor()),
              in -> new OutcomeExpired(in.position()))
          .row(
              74,
              WrongRange.class,
              (out, wrong) -> out.list(wrong.routes(), ClientFields::writeRoute),
              in -> new WrongRange(in.list(ReplyFields.LINES_MAX, ClientFields::readRoute)))
          .row(
              75,
              Refused.class,
              ReplyFields::writeRefused,
              ReplyFields::readRefused,
              new MessageTable.Optionals<>(
                  ReplyFields::writeRefusedOptions, ReplyFields::withRefusedOptions))
          .row(
              76,
              StatusReport.class,
              InspectFields::writeStatus,
              InspectFields::readStatus,
              new MessageTable.Optionals<>(InspectFields::writeTraits, InspectFields::withTraits))
          .row(77, Inspected.class, InspectFields::writeInspected, InspectFields::readInspected)
          .row(78, Explained.class, InspectFields::writeExplained, InspectFields::readExplained)
          .row(
              79,
              Behind.class,
              (out, behind) -> ClientFields.writeReadSource(out, behind.source()),
              in -> new Behind(ClientFields.readReadSource(in)))
          .row(80, Decided.class, StewardFields::writeDecided, StewardFields::readDecided)
          .row(
              81,
              Redirect.class,
              (out, redirect) ->
                  out.node(redirect.node()).text(redirect.address()).range(redirect.keys()),
              in -> new Redirect(in.node(), in.text(), ClientFields.readInterval(in)))
          .row(82, Balance.class, StewardFields::writeBalance, StewardFields::readBalance)
          .row(83, BegunWith.class, ReplyFields::writeBegunWith, ReplyFields::readBegunWith)
          .row(
              84,
              Challenge.class,
              (out, challenge) -> out.bytes(challenge.random()),
              in -> new Challenge(in.bytes(Limits.PROOF_BYTES_MAX)))
          .row(90, QuorumValue.class, QuorumFields::writeValue, QuorumFields::readValue)
          .row(
              91,
              QuorumReached.class,
              (out, reached) -> out.varint(reached.copies()),
              in -> new QuorumReached(ClientFields.readNaturalInt(in)))
          .row(92, ChangesRead.class, ChangeFields::writeAnswer, ChangeFields::readAnswer)
          .row(
              93,
              ChangesLost.class,
              (out, lost) -> out.position(lost.first()).position(lost.last()),
              in -> new ChangesLost(in.position(), in.position()))
          .row(
              94,
              Objectives.class,
              StewardFields::writeObjectives,
              StewardFields::readObjectives,
              new MessageTable.Optionals<>(
                  ReplyFields::writeObjectivesOptions, ReplyFields::withObjectivesOptions))
          .row(
              95,
              Control.class,
              StewardFields::writeControl,
              StewardFields::readControl,
              new MessageTable.Optionals<>(
                  ReplyFields::writeControlOptions, ReplyFields::withControlOptions))
          .row(97, Tables.class, StewardFields::writeTables, StewardFields::readTables)
          .row(98, WholeTable.class, StewardFields::writeWholeTable, StewardFields::readWholeTable)
          .build();

  private ReplyTable() {}

  /** In ascending order of numbers. */
  public static List<MessageTable.Row<ClientReply>> rows() {
    return ROWS.rows();
  }

  /** The optional fields of replies, in ascending order of tags. */
  public static List<OptionalField<?>> optionalFields() {
    return ReplyFields.OPTIONAL;
  }
}
