package org.ecstore.tools.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.ecstore.key.Bytes;
import org.ecstore.tools.quickstart.SocialGraph.Friendship;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocialGraphTest {
  @TempDir Path directory;

  private SocialGraph read(String content) throws IOException {
    return SocialGraph.read(Files.writeString(directory.resolve("edges.txt"), content));
  }

  @Test
  void theKarateClubHas34MembersAnd78Friendships() {
    SocialGraph club = SocialGraph.karateClub();
    assertEquals(34, club.users().size());
    assertEquals(78, club.friendships().size());
    assertEquals(0, club.duplicates() + club.selfEdges());
    assertEquals(17, club.friendships().stream().filter(pair -> pair.b() == 34).count());
    assertEquals(16, club.friendships().stream().filter(pair -> pair.a() == 1).count());
  }

  /** As a device that gives zeros would, for ever. */
  @Test
  void aLineWithoutAnEndIsRefusedBeforeItIsTakenIn() {
    MalformedGraphException refused =
        assertThrows(MalformedGraphException.class, () -> read("\0".repeat(1 << 20)));
    assertTrue(
        String.valueOf(refused.getMessage())
            .endsWith(
                "line 1: no edge list has lines of more than 1000 characters, or more than 10000000"
                    + " edges"),
        refused.getMessage());
  }

  @Test
  void edgesAreTakenWithBlanksTabsOrCommasAndCommentsAreNot() throws IOException {
    SocialGraph graph = read("# a graph\n1 2\n\n3\t4\n5,6\n  7 , 8  \r\n");
    assertEquals(
        List.of(
            new Friendship(1, 2), new Friendship(3, 4), new Friendship(5, 6), new Friendship(7, 8)),
        graph.friendships());
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L), graph.users());
  }

  @Test
  void repeatedEdgesAndThoseToOneselfAreLeftOutAndCounted() throws IOException {
    SocialGraph graph = read("1 2\n2 1\n1 2\n3 3\n");
    assertEquals(List.of(new Friendship(1, 2)), graph.friendships());
    assertEquals(List.of(1L, 2L), graph.users());
    assertEquals(2, graph.duplicates());
    assertEquals(1, graph.selfEdges());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "1 2 3", "a b", "1 -2", "1 99999999999999999999", "1;2"})
  void aLineThatIsNoEdgeIsNamedByItsNumber(String line) {
    var thrown =
        assertThrows(MalformedGraphException.class, () -> read("1 2\n# fine\n" + line + "\n"));
    String message = String.valueOf(thrown.getMessage());
    assertTrue(message.contains("edges.txt, line 3"), message);
    assertTrue(message.contains(line), message);
  }

  @Test
  void aGraphWithoutEdgesIsNone() {
    assertThrows(MalformedGraphException.class, () -> read("# nothing\n5 5\n"));
  }

  @Test
  void bytesThatAreNoTextAreSaidToBe() throws IOException {
    Path file = directory.resolve("edges.bin");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
    assertThrows(MalformedGraphException.class, () -> SocialGraph.read(file));
  }

  @Test
  void aMissingFileIsTheSystemsError() {
    assertThrows(
        NoSuchFileException.class, () -> SocialGraph.read(directory.resolve("not-there.txt")));
  }

  @Test
  void splitHintsAreInOrderAndCutTheUsersIntoEqualParts() {
    List<Bytes> hints = Users.splitHints(SocialGraph.karateClub().users());
    assertEquals(hints.stream().sorted().distinct().toList(), hints);
    assertEquals(33, hints.size());
    assertTrue(hints.stream().allMatch(Users.TABLE.keys()::contains));
  }

  @Test
  void theCheckFindsWhatIsOneSidedAndWhatIsMissing() throws IOException {
    SocialGraph graph = read("1 2\n2 3\n3 4\n");
    FriendshipCheck check = new FriendshipCheck();
    check.add(new User(1, List.of(2L)));
    check.add(new User(2, List.of(1L, 3L)));
    check.add(new User(3, List.of()));
    assertEquals(1, check.asymmetric(), "3 does not know of 2");
    assertEquals(2, check.lost(graph), "2-3 is half there, 3-4 not at all");
  }

  @Test
  void friendsAreKeptInOrder() {
    User user = new User(5, List.of()).befriended(9).befriended(2).befriended(7);
    assertEquals(List.of(2L, 7L, 9L), user.friends());
    assertTrue(user.isFriendOf(7));
  }
}
