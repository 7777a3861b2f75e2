package org.ecstore.engines.window;

import org.ecstore.check.Check;

/**
 * Which values of the window are in memory outside the heap. In bytes.
 *
 * @param shortest value that is: shorter ones cost about as much as their place
 * @param longest value that is: longer ones would leave much of a chunk unused
 * @param chunk of which that memory is made
 */
public record ValueSizes(int shortest, int longest, int chunk) {
  /** What a node runs with. */
  public static final ValueSizes DEFAULT = new ValueSizes(128, 128 << 10, 1 << 20);

  public ValueSizes {
    Check.that(
        shortest > 0 && shortest <= longest && longest <= chunk,
        "not 0 < shortest <= longest <= chunk");
  }
}
