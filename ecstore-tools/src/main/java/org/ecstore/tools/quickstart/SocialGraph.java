package org.ecstore.tools.quickstart;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.ecstore.server.print.LogText;
import org.ecstore.verify.history.BoundedLines;
import org.jspecify.annotations.Nullable;

/**
 * Who is whose friend: distinct pairs, in the order of the file.
 *
 * @param name for people
 * @param users all who have a friend, in ascending order
 * @param duplicates lines that repeat a pair, the other way round too
 * @param selfEdges lines that pair a user with itself
 */
public record SocialGraph(
    String name, List<Long> users, List<Friendship> friendships, int duplicates, int selfEdges) {
  private static final String KARATE_CLUB = "karate-club-edges.txt";
  private static final Pattern SEPARATORS = Pattern.compile("[\\s,]+");
  private static final int SHOWN_CHARACTERS_MAX = 60;
  private static final int LINE_LENGTH_MAX = 1_000;
  private static final int EDGES_MAX = 10_000_000;

  /** A pair of users, the lesser id first. */
  public record Friendship(long a, long b) {
    static Friendship of(long one, long other) {
      return new Friendship(Math.min(one, other), Math.max(one, other));
    }
  }

  public SocialGraph {
    users = List.copyOf(users);
    friendships = List.copyOf(friendships);
  }

  /** The graph that comes with ecStore: Zachary's karate club, 34 members. */
  public static SocialGraph karateClub() {
    try (InputStream in = SocialGraph.class.getResourceAsStream(KARATE_CLUB)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + KARATE_CLUB);
      }
      return parse("Zachary's karate club", new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads an edge list: two user ids a line, from 0 up, with blanks, tabs or a comma between them;
   * empty lines and lines that begin with # are passed over.
   *
   * @throws MalformedGraphException if a line is anything else, or no friendship is left
   * @throws IOException if the file cannot be read
   */
  public static SocialGraph read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new MalformedGraphException(file + " is a directory, not a file of edges");
    }
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      return parse(file.toString(), reader);
    } catch (MalformedInputException e) {
      throw new MalformedGraphException(file + " is no text file");
    }
  }

  private static SocialGraph parse(String name, java.io.Reader source) throws IOException {
    BoundedLines lines = new BoundedLines(new BufferedReader(source), LINE_LENGTH_MAX);
    TreeSet<Long> users = new TreeSet<>();
    Set<Friendship> pairs = new LinkedHashSet<>();
    int duplicates = 0;
    int selfEdges = 0;
    int number = 0;
    for (String line = lines.next(); line != null; line = lines.next()) {
      number++;
      if (lines.isTooLong(line) || pairs.size() > EDGES_MAX) {
        throw new MalformedGraphException(
            name
                + ", line "
                + number
                + ": no edge list has lines of more than "
                + LINE_LENGTH_MAX
                + " characters, or more than "
                + EDGES_MAX
                + " edges");
      }
      Friendship pair = parseLine(line.strip(), name, number);
      if (pair == null) {
        continue;
      }
      if (pair.a() == pair.b()) {
        selfEdges++;
      } else if (pairs.add(pair)) {
        users.add(pair.a());
        users.add(pair.b());
      } else {
        duplicates++;
      }
    }
    if (pairs.isEmpty()) {
      throw new MalformedGraphException(name + " holds no edge");
    }
    return new SocialGraph(
        name, new ArrayList<>(users), new ArrayList<>(pairs), duplicates, selfEdges);
  }

  private static @Nullable Friendship parseLine(String line, String name, int number) {
    if (line.isEmpty() || line.startsWith("#")) {
      return null;
    }
    List<String> ids = SEPARATORS.splitAsStream(line).toList();
    if (ids.size() == 2) {
      try {
        long a = Long.parseLong(ids.get(0));
        long b = Long.parseLong(ids.get(1));
        if (a >= 0 && b >= 0) {
          return Friendship.of(a, b);
        }
      } catch (NumberFormatException e) {
        throw malformed(line, name, number);
      }
    }
    throw malformed(line, name, number);
  }

  private static MalformedGraphException malformed(String line, String name, int number) {
    String shown =
        line.length() > SHOWN_CHARACTERS_MAX
            ? line.substring(0, SHOWN_CHARACTERS_MAX) + "..."
            : line;
    return new MalformedGraphException(
        name + ", line " + number + ": expected two user ids, found \"" + LogText.of(shown) + "\"");
  }
}
