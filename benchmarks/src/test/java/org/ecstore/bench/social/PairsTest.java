package org.ecstore.bench.social;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.ecstore.tools.quickstart.SocialGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PairsTest {
  private static final int DRAWN = 20_000;

  /** How often each of so many users was drawn, which never is with himself. */
  private static long[] drawn(Pairs pairs) {
    long[] counts = new long[(int) pairs.users()];
    Supplier<Pairs.Pair> client = pairs.client();
    for (int i = 0; i < DRAWN; i++) {
      Pairs.Pair pair = client.get();
      assertTrue(pair.one() != pair.other(), pair::toString);
      counts[(int) pair.one()]++;
      counts[(int) pair.other()]++;
    }
    return counts;
  }

  @Test
  void uniformPairsAreAnyTwo() {
    for (long count : drawn(Pairs.uniform(10))) {
      assertEquals(2.0 * DRAWN / 10, (double) count, DRAWN / 20.0);
    }
    assertEquals(DRAWN, drawn(Pairs.uniform(2))[0]);
  }

  @Test
  void zipfianPairsFavourFew() {
    long[] counts = drawn(Pairs.zipfian(1000));
    Arrays.sort(counts);
    long top = Arrays.stream(counts).skip(counts.length - 20).sum();
    assertTrue(top > 2 * DRAWN * 0.15, "2 % of the users have " + top + " of " + 2 * DRAWN);
  }

  @Test
  void edgesComeInTheirOrderAndAgain(@TempDir Path temp) throws IOException {
    Path file = Files.writeString(temp.resolve("edges"), "100 7\n7 42\n");
    Pairs pairs = Pairs.along(SocialGraph.read(file));
    assertEquals(3, pairs.users());
    Supplier<Pairs.Pair> client = pairs.client();
    assertEquals(
        List.of(new Pairs.Pair(0, 2), new Pairs.Pair(0, 1), new Pairs.Pair(0, 2)),
        Stream.generate(client).limit(3).toList());
  }
}
