package org.ecstore.protocol;

import org.ecstore.id.Position;
import org.ecstore.model.ChangeMark;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** Fields of the request for changes and its answers. */
final class ChangeFields {
  /** In one answer; each takes three bytes at least. */
  private static final int COMMITS_MAX = 1 << 20;

  private ChangeFields() {}

  static void writeRead(WireWriter out, ClientRequest.ReadChanges read) {
    writeMark(out, read.mark());
    out.list(read.intervals(), WireWriter::range);
    out.varint(read.bytesMax()).varint(read.waitMillis());
  }

  static ClientRequest.ReadChanges readRead(WireReader in) {
    return new ClientRequest.ReadChanges(
        readMark(in),
        KeyOrder.readIntervals(in, Limits.CHANGES_INTERVALS_MAX),
        ClientFields.readNaturalInt(in),
        ClientFields.readNaturalInt(in));
  }

  private static void writeMark(WireWriter out, ChangeMark mark) {
    out.position(mark.after());
    out.optional(mark.within(), (to, part) -> to.position(part.number()).bytes(part.through()));
  }

  private static ChangeMark readMark(WireReader in) {
    Position after = in.position();
    try {
      return new ChangeMark(
          after,
          in.optional(from -> new ChangeMark.Part(from.position(), ClientFields.readKey(from))));
    } catch (IllegalArgumentException e) {
      throw new MalformedMessageException("no mark: " + e.getMessage());
    }
  }

  static void writeAnswer(WireWriter out, ClientReply.ChangesRead read) {
    out.list(read.commits(), ChangeFields::writeCommit);
    writeMark(out, read.mark());
    out.bool(read.current());
  }

  static ClientReply.ChangesRead readAnswer(WireReader in) {
    return new ClientReply.ChangesRead(
        in.list(COMMITS_MAX, ChangeFields::readCommit), readMark(in), in.bool());
  }

  private static void writeCommit(WireWriter out, ClientReply.CommitChanges commit) {
    out.position(commit.number()).list(commit.writes(), ClientFields::writeKeyWrite);
  }

  private static ClientReply.CommitChanges readCommit(WireReader in) {
    return new ClientReply.CommitChanges(
        in.position(), KeyOrder.readWrites(in, Limits.TRANSACTION_ITEMS_MAX));
  }
}
