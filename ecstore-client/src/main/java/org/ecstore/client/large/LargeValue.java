package org.ecstore.client.large;

import java.time.Instant;
import java.util.UUID;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;

/**
 * What is known of a large value without reading it. A record of the table that the large values
 * are named after.
 *
 * @param id of its chunks; a value that is written anew has another
 * @param size in bytes
 * @param chunkBytes the size of each chunk but the last
 * @param sha256 of all bytes; in hex a good ETag
 * @param written when it was finished, by the writer's clock
 */
public record LargeValue(UUID id, long size, int chunkBytes, Bytes sha256, Instant written) {
  public LargeValue {
    if (size < 0 || chunkBytes < 1) {
      throw new WrongArgumentException(
          "no large value is like this", null, "size", size, "chunkBytes", chunkBytes);
    }
  }
}
