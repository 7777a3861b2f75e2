package org.ecstore.bench.hosts;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.load.LoadOutcome;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.bench.store.Target;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.Utils;

/**
 * A session on records of its own, which are YCSB's: each is inserted once, or any of them are
 * read.
 */
public final class SessionLoad implements Load {
  /** What a session does. */
  public enum Kind {
    READ("read"),
    INSERT("insert");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** As results name it. */
    public String title() {
      return title;
    }
  }

  private static final String TABLE = "usertable";
  private static final int FIELDS = 10;
  private static final int FIELD_BYTES = 100;

  private final Target target;
  private final Kind kind;
  private final long first;
  private final long records;
  private final AtomicLong next;

  /**
   * A session.
   *
   * @param first number of its records; they spread over all keys, whatever their numbers
   */
  public SessionLoad(Target target, Kind kind, long first, long records) {
    this.target = target;
    this.kind = kind;
    this.first = first;
    this.records = records;
    this.next = new AtomicLong(first);
  }

  static String key(long number) {
    return "user" + Utils.hash(number);
  }

  @Override
  public Client client(int number, int clients) throws DBException {
    BenchDb store = target.client();
    SplittableRandom random = new SplittableRandom();
    return new Client() {
      @Override
      public LoadOutcome next() {
        Status status =
            switch (kind) {
              case READ -> read(store, first + random.nextLong(records));
              case INSERT -> store.insert(TABLE, key(next.getAndIncrement()), fields(random));
            };
        return status.isOk()
            ? LoadOutcome.done(kind.title(), 1)
            : LoadOutcome.failed(kind.title(), status.getName());
      }

      @Override
      public void close() {
        store.cleanup();
      }
    };
  }

  private static Status read(BenchDb store, long number) {
    Map<String, ByteIterator> record = HashMap.newHashMap(FIELDS);
    Status status = store.read(TABLE, key(number), null, record);
    return status.isOk() && record.size() != FIELDS ? Status.UNEXPECTED_STATE : status;
  }

  static Map<String, ByteIterator> fields(SplittableRandom random) {
    Map<String, ByteIterator> fields = HashMap.newHashMap(FIELDS);
    for (int i = 0; i < FIELDS; i++) {
      byte[] value = new byte[FIELD_BYTES];
      random.nextBytes(value);
      fields.put("field" + i, new ByteArrayByteIterator(value));
    }
    return fields;
  }
}
