package org.ecstore.bench.social;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.ecstore.tools.quickstart.SocialGraph;
import site.ycsb.generator.ScrambledZipfianGenerator;

/** Which two users come next, by their numbers from 0 on. Safe for use by several threads. */
public interface Pairs {
  /** Two users, never one and the same. */
  record Pair(long one, long other) {}

  /** How many users there are. */
  long users();

  /** A source of pairs for one client, for one thread. */
  Supplier<Pair> client();

  /**
   * Any two of so many, each as likely.
   *
   * @param users 2 at least
   */
  static Pairs uniform(long users) {
    return new Pairs() {
      @Override
      public long users() {
        return users;
      }

      @Override
      public Supplier<Pair> client() {
        SplittableRandom random = new SplittableRandom();
        return () -> {
          long one = random.nextLong(users);
          long other = random.nextLong(users - 1);
          return new Pair(one, other < one ? other : other + 1);
        };
      }
    };
  }

  /**
   * Two of so many, some far likelier than others, as YCSB's zipfian keys are.
   *
   * @param users 2 at least
   */
  static Pairs zipfian(long users) {
    return new Pairs() {
      @Override
      public long users() {
        return users;
      }

      @Override
      public Supplier<Pair> client() {
        ScrambledZipfianGenerator keys = new ScrambledZipfianGenerator(users);
        return () -> {
          long one = keys.nextValue();
          long other = keys.nextValue();
          // Hashing may leave very few users out, so that drawing again might not end.
          return new Pair(one, other == one ? (one + 1) % users : other);
        };
      }
    };
  }

  /** The friendships of a graph in its order, and from the beginning again after the last. */
  static Pairs along(SocialGraph graph) {
    long[] ends = new long[graph.friendships().size() * 2];
    long[] users = graph.users().stream().mapToLong(Long::longValue).toArray();
    int at = 0;
    for (SocialGraph.Friendship each : graph.friendships()) {
      ends[at++] = java.util.Arrays.binarySearch(users, each.a());
      ends[at++] = java.util.Arrays.binarySearch(users, each.b());
    }
    AtomicLong next = new AtomicLong();
    return new Pairs() {
      @Override
      public long users() {
        return users.length;
      }

      @Override
      public Supplier<Pair> client() {
        return () -> {
          int edge = (int) (next.getAndIncrement() % (ends.length / 2)) * 2;
          return new Pair(ends[edge], ends[edge + 1]);
        };
      }
    };
  }
}
