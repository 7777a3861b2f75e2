package org.ecstore.bench.photos;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.load.LoadOutcome;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.bench.store.Target;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Scans all photos of some days, from a random day on: "the highly ranked photos uploaded within
 * the last month". A scan that does not find each photo of those days is an error.
 */
public final class PhotoLoad implements Load {
  private static final String FIELD = "metadata";
  private static final int METADATA_BYTES = 200;

  private final Target target;
  private final PhotoScan scan;
  private final Album album;

  /** Scans of an album that has so many days at least. */
  public PhotoLoad(Target target, PhotoScan scan, Album album) {
    if (scan.days() > album.days()) {
      throw new IllegalArgumentException(scan + " of " + album);
    }
    this.target = target;
    this.scan = scan;
    this.album = album;
  }

  @Override
  @SuppressWarnings("JdkObsolete") // YCSB asks for a Vector.
  public Client client(int number, int clients) throws DBException {
    BenchDb store = target.client();
    SplittableRandom random = new SplittableRandom();
    int photos = scan.days() * album.photosPerDay();
    return new Client() {
      @Override
      public LoadOutcome next() {
        int day = random.nextInt(album.days() - scan.days() + 1);
        String from = album.key((long) day * album.photosPerDay());
        Vector<HashMap<String, ByteIterator>> found = new Vector<>();
        Status status = store.scan(Album.TABLE, from, photos, null, found);
        if (status.isOk() && found.size() != photos) {
          status = Status.UNEXPECTED_STATE;
        }
        return status.isOk()
            ? LoadOutcome.done(scan.title(), photos)
            : LoadOutcome.failed(scan.title(), status.getName());
      }

      @Override
      public void close() {
        store.cleanup();
      }
    };
  }

  /** Puts the photos of an album into a store, each once. */
  public static final class Inserts {
    private final Target target;
    private final Album album;
    private final AtomicLong next = new AtomicLong();

    /** All photos. */
    public Inserts(Target target, Album album) {
      this.target = target;
      this.album = album;
    }

    /** Inserts photos until none is left; to be called by several threads. */
    public void run(Runnable inserted) throws DBException {
      BenchDb store = target.client();
      try {
        SplittableRandom random = new SplittableRandom();
        for (long i = next.getAndIncrement(); i < album.photos(); i = next.getAndIncrement()) {
          byte[] metadata = new byte[METADATA_BYTES];
          random.nextBytes(metadata);
          Status status =
              store.insert(
                  Album.TABLE, album.key(i), Map.of(FIELD, new ByteArrayByteIterator(metadata)));
          if (!status.isOk()) {
            throw new IllegalStateException("a photo cannot be inserted: " + status);
          }
          inserted.run();
        }
      } finally {
        store.cleanup();
      }
    }
  }
}
