package org.ecstore.core.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.ecstore.core.testing.RandomRecords;
import org.ecstore.id.MapVersion;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;

class MapCodecTest {
  @Test
  void randomMapsChangesAndDescriptorsComeBackAsTheyWere() {
    for (long seed = 0; seed < 5_000; seed++) {
      RandomRecords random = new RandomRecords(seed);
      RangeMap map = random.map();
      MapChange change = random.change();
      RangeDescriptor descriptor = random.descriptor();
      WireWriter out = new WireWriter();
      MapCodec.writeMap(out, map);
      MapCodec.writeChange(out, change);
      MapCodec.writeDescriptor(out, descriptor);
      WireReader in = new WireReader(out.toBytes());
      assertEquals(map, MapCodec.readMap(in), "seed " + seed);
      assertEquals(change, MapCodec.readChange(in), "seed " + seed);
      assertEquals(descriptor, MapCodec.readDescriptor(in), "seed " + seed);
      in.expectEnd();
    }
  }

  @Test
  void aMapThatEndsBeforeTheLastKeyIsRefused() {
    RandomRecords random = new RandomRecords(1);
    RangeDescriptor any = random.descriptor();
    KeyRange keys = KeyRange.of(Bytes.EMPTY, Bytes.utf8("z"));
    RangeDescriptor first =
        new RangeDescriptor(
            any.id(), keys, any.epoch(), any.primary(), any.primaryIncarnation(), List.of());
    WireWriter out = new WireWriter();
    out.mapVersion(new MapVersion(1)).list(List.of(first), MapCodec::writeDescriptor);
    WireReader in = new WireReader(out.toBytes());
    assertThrows(MalformedMessageException.class, () -> MapCodec.readMap(in));
  }
}
