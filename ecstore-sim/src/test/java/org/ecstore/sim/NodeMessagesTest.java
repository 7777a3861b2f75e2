package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.message.EnvelopeCodec;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.message.Reply;
import org.ecstore.core.testing.Mutations;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.txn.message.NodeMessages;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.MessageTable;
import org.junit.jupiter.api.Test;

/** Every message of every table that nodes exchange, as bytes. */
class NodeMessagesTest {
  private static final EnvelopeCodec CODEC = new EnvelopeCodec(NodeMessages.tables());
  private static final int OF_EACH = 100;
  private static final int INPUTS = 100_000;

  private static Envelope envelope(long seed, NodeMessage body) {
    return new Envelope(new NodeId(1), seed, new NodeId(2), ReadPoint.ZERO, body);
  }

  private static List<Envelope> envelopes(long firstSeed, int ofEach) {
    List<Envelope> envelopes = new ArrayList<>();
    for (MessageTable<? extends NodeMessage> table : NodeMessages.tables()) {
      for (MessageTable.Row<? extends NodeMessage> row : table.rows()) {
        for (int i = 0; i < ofEach; i++) {
          long seed = firstSeed + envelopes.size();
          envelopes.add(envelope(seed, new RandomRecords(seed).of(row.type())));
        }
      }
    }
    return envelopes;
  }

  @Test
  void everyMessageOfEveryTableComesBackAsItWas() {
    for (Envelope envelope : envelopes(1, OF_EACH)) {
      assertEquals(envelope, CODEC.decode(CODEC.encode(envelope)));
    }
  }

  @Test
  void everyMessageIsReadWithFieldsOfANewerNode() {
    for (Envelope envelope : envelopes(1, 1)) {
      Bytes newer = CODEC.encode(envelope).concat(Bytes.of(100, 2, 1, 1, 200, 1, 0));
      assertEquals(envelope, CODEC.decode(newer));
    }
  }

  @Test
  void noBytesDoHarmAsAMessageOfANode() {
    List<Bytes> valid = envelopes(1, 10).stream().map(CODEC::encode).toList();
    Mutations mutations = new Mutations(3, valid);
    int passed = 0;
    int refused = 0;
    for (int i = 0; i < INPUTS; i++) {
      Bytes bytes = mutations.next();
      try {
        Envelope envelope = CODEC.decode(bytes);
        assertEquals(envelope, CODEC.decode(CODEC.encode(envelope)), () -> "input " + bytes);
        passed++;
      } catch (MalformedMessageException expected) {
        refused++;
      } catch (RuntimeException e) {
        fail("input " + i + ": " + bytes, e);
      }
    }
    assertTrue(passed > INPUTS / 50 && refused > INPUTS / 50, "some pass and some do not");
  }

  /** What names the call it answers is named by the row of what it answers. */
  @Test
  void everyReplyAnswersSomething() {
    Set<Class<?>> answers = new HashSet<>();
    Set<Class<?>> replies = new HashSet<>();
    for (MessageTable<? extends NodeMessage> table : NodeMessages.tables()) {
      for (MessageTable.Row<? extends NodeMessage> row : table.rows()) {
        answers.addAll(row.answers());
        if (Reply.class.isAssignableFrom(row.type())) {
          replies.add(row.type());
        }
      }
    }
    replies.removeAll(answers);
    assertEquals(Set.of(), replies);
  }

  @Test
  void decodedMessagesAreOfTheirRowsClass() {
    for (MessageTable<? extends NodeMessage> table : NodeMessages.tables()) {
      for (MessageTable.Row<? extends NodeMessage> row : table.rows()) {
        Envelope envelope = envelope(1, new RandomRecords(1).of(row.type()));
        assertInstanceOf(row.type(), CODEC.decode(CODEC.encode(envelope)).body());
      }
    }
  }
}
