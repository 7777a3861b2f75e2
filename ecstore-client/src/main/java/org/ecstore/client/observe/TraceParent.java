package org.ecstore.client.observe;

import org.ecstore.client.error.WrongArgumentException;

/**
 * Where a request belongs in a trace, as W3C's {@code traceparent} says it.
 *
 * @param traceHigh the first 8 of the 16 bytes of the trace's id
 * @param traceLow the others; not both are 0
 * @param span the id of the span that the request is in, not 0
 * @param flags of the trace, 0 to 255; 1 if it is sampled
 */
public record TraceParent(long traceHigh, long traceLow, long span, int flags) {
  /**
   * Checks the ids.
   *
   * @throws WrongArgumentException if one is 0, or the flags are no byte
   */
  public TraceParent {
    if ((traceHigh | traceLow) == 0 || span == 0 || flags < 0 || flags > 0xff) {
      throw new WrongArgumentException(
          "a trace and its span have ids that are not 0, and flags of one byte", null);
    }
  }
}
