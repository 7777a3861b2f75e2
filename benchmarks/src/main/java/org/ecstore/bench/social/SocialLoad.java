package org.ecstore.bench.social;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.load.LoadOutcome;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.bench.store.Target;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.Utils;

/**
 * Work on two users at a time. Users are YCSB's records, under its keys and in its table, so that
 * all that loads those can be measured on the same data.
 */
public final class SocialLoad implements Load {
  private static final String TABLE = "usertable";
  private static final String COUNTERS = "counters";
  private static final int FIELDS = 10;
  private static final int FIELD_BYTES = 100;

  private final Target target;
  private final SocialWorkload workload;
  private final Pairs pairs;

  /** A workload on pairs of the users that {@link org.ecstore.bench.ycsb.YcsbLoad} inserts. */
  public SocialLoad(Target target, SocialWorkload workload, Pairs pairs) {
    this.target = target;
    this.workload = workload;
    this.pairs = pairs;
  }

  /** A user's key: as YCSB hashes it. */
  static String key(long user) {
    return "user" + Utils.hash(user);
  }

  @Override
  public Client client(int number, int clients) throws DBException {
    BenchDb store = target.client();
    Supplier<Pairs.Pair> next = pairs.client();
    SplittableRandom random = new SplittableRandom();
    byte[] value = new byte[FIELD_BYTES];
    return new Client() {
      @Override
      public LoadOutcome next() {
        if (workload == SocialWorkload.COUNT) {
          Status status = store.count(COUNTERS, "all");
          return outcome(1, store.takeAborts(), status);
        }
        Pairs.Pair pair = next.get();
        String one = key(pair.one());
        String other = key(pair.other());
        if (workload == SocialWorkload.READ_ONLY) {
          Status status = store.readBoth(TABLE, one, other);
          return outcome(2, 0, status);
        }
        random.nextBytes(value);
        String field = "field" + random.nextInt(FIELDS);
        BenchDb.Reads reads =
            workload == SocialWorkload.BEFRIEND ? BenchDb.Reads.APART : BenchDb.Reads.TOGETHER;
        BenchDb.Attempted done = store.befriend(TABLE, one, other, field, value, reads);
        return outcome(4, done.aborts(), done.status());
      }

      @Override
      public void close() {
        store.cleanup();
      }
    };
  }

  private LoadOutcome outcome(int records, int aborts, Status status) {
    return status.isOk()
        ? new LoadOutcome(workload.title(), records, aborts, Optional.empty())
        : new LoadOutcome(workload.title(), 0, aborts, Optional.of(status.getName()));
  }
}
