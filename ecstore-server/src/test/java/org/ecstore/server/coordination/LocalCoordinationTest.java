package org.ecstore.server.coordination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DirectoryInUseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalCoordinationTest {
  @TempDir private Path directory;

  @Test
  void theLeadStaysWithALivingLeaderAndGoesFirstToWhoHasLed() throws IOException {
    try (LocalCoordination coordination = open()) {
      User five = new User(coordination, 5);
      five.join();
      User four = new User(coordination, 4);
      four.join();
      User three = new User(coordination, 3);
      three.join();
      assertEquals(5, three.awaitLeader(5), "joining does not move the lead");
      coordination.end(new NodeId(5));
      assertEquals(4, three.awaitLeader(4), "the longest-lived member leads");
      five = new User(coordination, 5);
      five.join();
      assertEquals(4, five.awaitLeader(4), "coming back does not move the lead");
      User two = new User(coordination, 2);
      two.join();
      coordination.end(new NodeId(4));
      assertEquals(5, two.awaitLeader(5), "who has led before leads again");
      coordination.end(new NodeId(5));
      assertEquals(3, two.awaitLeader(3));
    }
  }

  @Test
  void aLeaderThatJoinsAgainHandsTheLeadToAnother() throws IOException {
    try (LocalCoordination coordination = open()) {
      new User(coordination, 1).join();
      User two = new User(coordination, 2);
      two.join();
      User again = new User(coordination, 1);
      again.join();
      assertEquals(2, two.awaitLeader(2));
      assertEquals(2, again.awaitLeader(2));
    }
  }

  @Test
  void aMemberAloneLeadsAgainAfterItsRestart() throws IOException {
    try (LocalCoordination coordination = open()) {
      User first = new User(coordination, 1);
      first.join();
      assertEquals(1, first.awaitLeader(1));
      User again = new User(coordination, 1);
      again.join();
      assertEquals(1, again.awaitLeader(1));
    }
  }

  @Test
  void oneThatWasAwayIsAMemberAgainInItsIncarnationAndComesLast() throws IOException {
    try (LocalCoordination coordination = open()) {
      User one = new User(coordination, 1);
      one.join();
      User two = new User(coordination, 2);
      two.join();
      User three = new User(coordination, 3);
      three.join();
      coordination.away(new NodeId(1));
      coordination.away(new NodeId(1));
      assertEquals(2, two.awaitLeader(2), "another leads");
      one.sync();
      long heard = one.news();
      three.swap("key", 0, "value");
      coordination.end(new NodeId(3));
      one.sync();
      assertEquals(heard, one.news(), "one that is away hears no news");
      coordination.back(new NodeId(1));
      assertEquals(2, one.awaitLeader(2), "coming back does not move the lead");
      one.sync();
      Event.MembersChanged now =
          one.seen.stream()
              .filter(Event.MembersChanged.class::isInstance)
              .map(Event.MembersChanged.class::cast)
              .reduce((earlier, later) -> later)
              .orElseThrow();
      assertEquals(
          List.of(1L, 2L), now.members().stream().map(member -> member.node().value()).toList());
      assertEquals(1, now.members().getFirst().incarnation());
    }
  }

  @Test
  void oneThatEndedWhileItWasAwayDoesNotComeBack() throws IOException {
    try (LocalCoordination coordination = open()) {
      User one = new User(coordination, 1);
      one.join();
      User two = new User(coordination, 2);
      two.join();
      coordination.away(new NodeId(1));
      coordination.end(new NodeId(1));
      coordination.back(new NodeId(1));
      coordination.back(new NodeId(2));
      assertEquals(2, two.awaitLeader(2));
      two.sync();
      assertTrue(
          two.seen.stream()
              .filter(Event.MembersChanged.class::isInstance)
              .map(Event.MembersChanged.class::cast)
              .reduce((earlier, later) -> later)
              .filter(last -> last.members().size() == 1)
              .isPresent(),
          two.seen.toString());
    }
  }

  @Test
  void anEndedMemberHearsNoMore() throws IOException {
    try (LocalCoordination coordination = open()) {
      User one = new User(coordination, 1);
      one.join();
      one.coordination.watch("key");
      coordination.end(new NodeId(1));
      User two = new User(coordination, 2);
      two.join();
      two.swap("key", 0, "value");
      two.awaitLeader(2);
      one.sync();
      assertTrue(
          one.seen.stream().noneMatch(Event.KeyChanged.class::isInstance), one.seen.toString());
      assertEquals(1, one.seen.stream().filter(Event.MembersChanged.class::isInstance).count());
    }
  }

  @Test
  void aDirectoryIsOpenOnce() throws IOException {
    LocalCoordination first = open();
    assertThrows(DirectoryInUseException.class, this::open);
    first.close();
    open().close();
  }

  @Test
  void aClosedOneAnswersUnknown() throws IOException {
    LocalCoordination closed = open();
    User user = new User(closed, 1);
    user.swap("key", 0, "value");
    closed.close();
    user.coordination.get(++user.tokens, "key");
    assertInstanceOf(CoordinationResult.Unknown.class, user.await(user.tokens));
  }

  @Test
  void damageOfAnyByteIsFoundAndNothingIsChanged() throws IOException {
    try (LocalCoordination coordination = open()) {
      User user = new User(coordination, 1);
      user.join();
      user.swap("key", 0, "value");
    }
    Path file = directory.resolve("coordination");
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < whole.length; i++) {
      byte[] flipped = whole.clone();
      flipped[i] ^= 0x10;
      assertRefused(file, flipped);
      byte[] cut = new byte[i];
      System.arraycopy(whole, 0, cut, 0, i);
      assertRefused(file, cut);
    }
  }

  private void assertRefused(Path file, byte[] content) throws IOException {
    Files.write(file, content);
    CorruptCoordinationException refused =
        assertThrows(CorruptCoordinationException.class, this::open);
    assertTrue(String.valueOf(refused.getMessage()).contains(file.toString()));
    assertEquals(Bytes.wrap(content), Bytes.wrap(Files.readAllBytes(file)));
  }

  @Test
  void whatCannotBeWrittenIsUnknownAndTakesNoEffect() throws IOException {
    try (LocalCoordination coordination = open()) {
      User user = new User(coordination, 1);
      user.swap("key", 0, "one");
      // A directory in the place of the temporary file: creating it fails.
      Path obstacle = directory.resolve("coordination.tmp");
      Files.createDirectories(obstacle.resolve("inside"));
      user.coordination.compareAndSet(++user.tokens, "key", 1, Bytes.utf8("two"));
      assertInstanceOf(CoordinationResult.Unknown.class, user.await(user.tokens));
      Files.delete(obstacle.resolve("inside"));
      Files.delete(obstacle);
      user.coordination.get(++user.tokens, "key");
      assertEquals(
          new CoordinationResult.Stored(1, Optional.of(Bytes.utf8("one"))),
          user.await(user.tokens));
      user.swap("key", 1, "three");
    }
    try (LocalCoordination coordination = open()) {
      User user = new User(coordination, 1);
      user.coordination.get(++user.tokens, "key");
      assertEquals(
          new CoordinationResult.Stored(2, Optional.of(Bytes.utf8("three"))),
          user.await(user.tokens));
    }
  }

  private LocalCoordination open() throws IOException {
    return LocalCoordination.open(directory, new QuietJournal());
  }

  /** A node that uses the service. */
  private static final class User {
    private final NodeId node;
    private final Coordination coordination;
    private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<Event> seen = new ArrayList<>();
    private Optional<NodeId> leader = Optional.empty();
    private long tokens;

    User(LocalCoordination local, long node) {
      this.node = new NodeId(node);
      this.coordination = local.handle(this.node, events::add);
    }

    private Event next() {
      try {
        Event event = events.poll(60, TimeUnit.SECONDS);
        if (event == null) {
          throw new AssertionError("no event comes, after " + seen);
        }
        seen.add(event);
        if (event instanceof Event.LeaderHinted hint) {
          leader = hint.leader();
        }
        return event;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    CoordinationResult await(long token) {
      while (true) {
        if (next() instanceof Event.CoordinationDone done && done.token() == token) {
          return done.result();
        }
      }
    }

    void join() {
      coordination.join(++tokens, node, new MemberInfo(""));
      assertInstanceOf(CoordinationResult.Joined.class, await(tokens));
    }

    void swap(String key, long version, String value) {
      coordination.compareAndSet(++tokens, key, version, Bytes.utf8(value));
      assertInstanceOf(CoordinationResult.Swapped.class, await(tokens));
    }

    /** How many events have come that answer nothing. */
    long news() {
      return seen.stream().filter(event -> !(event instanceof Event.CoordinationDone)).count();
    }

    /** Takes in all events of what was done before. */
    void sync() {
      coordination.get(++tokens, "nothing");
      await(tokens);
    }

    /** The leader this node believes in when all was heard, or the expected one, if that came. */
    long awaitLeader(long expected) {
      sync();
      while (!leader.equals(Optional.of(new NodeId(expected)))) {
        next();
      }
      return leader.orElseThrow().value();
    }
  }
}
