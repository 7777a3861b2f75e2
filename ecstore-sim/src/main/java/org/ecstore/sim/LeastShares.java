package org.ecstore.sim;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * In how many of many seeds each thing that is wanted has to come about: a condition that has
 * become false for ever leaves every seed clean. The table is a resource, a line each: of which
 * seeds, the share of these, the name. What was asked for has to be there itself: else all rows
 * about it would be passed over.
 */
final class LeastShares {
  /** Of fewer seeds nothing is said: what is rare may be missing by chance. */
  static final int SEEDS_MIN = 1_000;

  private static final String FILE = "least-shares.txt";

  /** Of which seeds a share is. */
  private enum Of {
    ALL,
    /** Those that reach coordination by the real adapter. */
    ADAPTERS,
    /** Those that have readers of changes. */
    READERS,
    /** All, where adapters are asked for. */
    ASKED_ADAPTERS,
    /** All, where readers of changes are asked for. */
    ASKED_READERS;

    static Of parse(String word) {
      return valueOf(word.replace("--", "ASKED_").toUpperCase(Locale.ROOT));
    }

    long seeds(long all, Map<String, Integer> seedsWith, Asked asked) {
      return switch (this) {
        case ALL -> all;
        case ADAPTERS -> seedsWith.getOrDefault(Adapters.COORDINATION_DRAWN, 0);
        case READERS -> seedsWith.getOrDefault(Readers.ARE_THERE, 0);
        case ASKED_ADAPTERS -> asked.adapters() ? all : 0;
        case ASKED_READERS -> asked.readers() ? all : 0;
      };
    }
  }

  /**
   * What seeds were asked to have.
   *
   * @param adapters real ones, in half of them
   * @param readers of changes
   */
  record Asked(boolean adapters, boolean readers) {
    static final Asked NOTHING = new Asked(false, false);
  }

  private record Row(Of of, double share, String what) {
    static Row parse(String line) {
      String[] parts = line.split(" ", 3);
      return new Row(Of.parse(parts[0]), Double.parseDouble(parts[1]), parts[2]);
    }
  }

  private LeastShares() {}

  private static List<Row> rows() {
    try (InputStream in = LeastShares.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException(FILE + " is not there");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(Row::parse).toList();
    } catch (IOException e) {
      throw new IllegalStateException(FILE + " cannot be read", e);
    }
  }

  /**
   * What came about in too few of some seeds, in words; nothing if there are too few of them to
   * say.
   *
   * @param seedsWith in how many seeds each thing came about
   */
  static List<String> missed(long seeds, Map<String, Integer> seedsWith, Asked asked) {
    return rows().stream()
        .filter(row -> row.of().seeds(seeds, seedsWith, asked) >= SEEDS_MIN)
        .filter(
            row ->
                seedsWith.getOrDefault(row.what(), 0)
                    < row.share() * row.of().seeds(seeds, seedsWith, asked))
        .map(
            row ->
                String.format(
                    Locale.ROOT,
                    "%s: in %d of %d seeds, not in %.1f %%",
                    row.what(),
                    seedsWith.getOrDefault(row.what(), 0),
                    row.of().seeds(seeds, seedsWith, asked),
                    100 * row.share()))
        .toList();
  }
}
