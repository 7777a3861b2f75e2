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
 * seeds, the share of these, the name.
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
    READERS;

    long seeds(long all, Map<String, Integer> seedsWith) {
      return switch (this) {
        case ALL -> all;
        case ADAPTERS -> seedsWith.getOrDefault(Adapters.COORDINATION_DRAWN, 0);
        case READERS -> seedsWith.getOrDefault(Readers.ARE_THERE, 0);
      };
    }
  }

  private record Row(Of of, double share, String what) {
    static Row parse(String line) {
      String[] parts = line.split(" ", 3);
      return new Row(
          Of.valueOf(parts[0].toUpperCase(Locale.ROOT)), Double.parseDouble(parts[1]), parts[2]);
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
  static List<String> missed(long seeds, Map<String, Integer> seedsWith) {
    return rows().stream()
        .filter(row -> row.of().seeds(seeds, seedsWith) >= SEEDS_MIN)
        .filter(
            row ->
                seedsWith.getOrDefault(row.what(), 0)
                    < row.share() * row.of().seeds(seeds, seedsWith))
        .map(
            row ->
                String.format(
                    Locale.ROOT,
                    "%s: in %d of %d seeds, not in %.1f %%",
                    row.what(),
                    seedsWith.getOrDefault(row.what(), 0),
                    row.of().seeds(seeds, seedsWith),
                    100 * row.share()))
        .toList();
  }
}
