package org.ecstore.bench.photos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.load.LoadOutcome;
import org.ecstore.bench.store.MemoryTarget;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteArrayByteIterator;

class PhotoLoadTest {
  private static final Album ALBUM = new Album(40, 3);
  private final MemoryTarget target = new MemoryTarget();

  @Test
  void keysAreInTheOrderOfDays() {
    assertEquals("20090101-000000", ALBUM.key(0));
    assertEquals("20090101-000002", ALBUM.key(2));
    assertEquals("20090102-000000", ALBUM.key(3));
    for (long photo = 1; photo < ALBUM.photos(); photo++) {
      assertTrue(ALBUM.key(photo - 1).compareTo(ALBUM.key(photo)) < 0);
    }
  }

  @Test
  void aScanFindsAllPhotosOfItsDays() throws Exception {
    new PhotoLoad.Inserts(target, ALBUM).run(() -> {});
    assertEquals(120, target.size());
    for (PhotoScan scan : new PhotoScan[] {PhotoScan.WEEK, PhotoScan.MONTH}) {
      try (Load.Client client = new PhotoLoad(target, scan, ALBUM).client(0, 1)) {
        for (int i = 0; i < 200; i++) {
          assertEquals(LoadOutcome.done(scan.title(), scan.days() * 3L), client.next());
        }
      }
    }
    assertThrows(
        IllegalArgumentException.class, () -> new PhotoLoad(target, PhotoScan.FOUR_MONTHS, ALBUM));
  }

  @Test
  void aPhotoThatIsMissingIsAnError() throws Exception {
    Album all = new Album(7, 3);
    new PhotoLoad.Inserts(target, all).run(() -> {});
    target.client().delete(Album.TABLE, all.key(10));
    try (Load.Client client = new PhotoLoad(target, PhotoScan.WEEK, all).client(0, 1)) {
      assertEquals(Optional.of("UNEXPECTED_STATE"), client.next().error());
      target
          .client()
          .insert(
              Album.TABLE,
              all.key(10),
              Map.of("metadata", new ByteArrayByteIterator(new byte[200])));
      assertEquals(Optional.empty(), client.next().error());
    }
  }
}
