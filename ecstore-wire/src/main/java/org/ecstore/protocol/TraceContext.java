package org.ecstore.protocol;

import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * Where a request belongs in a trace: the binary form of W3C's trace context, 25 bytes.
 *
 * @param traceHigh the first 8 of the 16 bytes of the trace's id
 * @param traceLow the others; not both zero
 * @param parent the id of the span that sent the request; not zero
 * @param flags one byte
 */
public record TraceContext(long traceHigh, long traceLow, long parent, int flags) {
  static void write(WireWriter out, TraceContext trace) {
    out.i64(trace.traceHigh).i64(trace.traceLow).i64(trace.parent).u8(trace.flags);
  }

  static TraceContext read(WireReader in) {
    TraceContext trace = new TraceContext(in.i64(), in.i64(), in.i64(), in.u8());
    if ((trace.traceHigh | trace.traceLow) == 0 || trace.parent == 0) {
      throw new MalformedMessageException("a trace context with an id of zeros");
    }
    return trace;
  }
}
