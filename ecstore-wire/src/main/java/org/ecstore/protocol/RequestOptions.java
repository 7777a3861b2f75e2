package org.ecstore.protocol;

import java.util.List;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Limits;
import org.ecstore.wire.OptionalField;
import org.ecstore.wire.OptionalFields;
import org.ecstore.wire.WireWriter;

/**
 * What any request may say beside what it asks. Tags up to 15 are theirs, but for 4, which is a
 * commit's; from 16 on they are fields of one message's own.
 *
 * @param application the name of the application, {@link Limits#APPLICATION_BYTES_MAX} bytes at
 *     most
 * @param report what the client has measured, {@link Limits#REPORT_BYTES_MAX} bytes at most; the
 *     protocol does not look into it
 * @param trace the trace that the request belongs to
 */
public record RequestOptions(
    Optional<String> application, Optional<Bytes> report, Optional<TraceContext> trace) {
  /** Nothing beside: what most requests have. */
  public static final RequestOptions NONE =
      new RequestOptions(Optional.empty(), Optional.empty(), Optional.empty());

  static final OptionalField<String> APPLICATION =
      new OptionalField<>(
          1,
          "application",
          "every request",
          "The name of the application, UTF-8.",
          WireWriter::rawText,
          in -> in.restAsText(Limits.APPLICATION_BYTES_MAX));

  static final OptionalField<Bytes> REPORT =
      new OptionalField<>(
          2,
          "report",
          "every request",
          "What the client has measured; the protocol does not look into it.",
          (out, block) -> out.raw(block.array()),
          in -> in.rest(Limits.REPORT_BYTES_MAX));

  static final OptionalField<TraceContext> TRACE =
      new OptionalField<>(
          3,
          "trace",
          "every request",
          "W3C trace context: 16 bytes of the trace, 8 of the parent span, 1 of flags.",
          TraceContext::write,
          TraceContext::read);

  /** Their table. */
  static final List<OptionalField<?>> FIELDS =
      OptionalField.table(List.of(APPLICATION, REPORT, TRACE));

  static RequestOptions of(OptionalFields fields) {
    if (fields == OptionalFields.NONE) {
      return NONE;
    }
    return new RequestOptions(fields.get(APPLICATION), fields.get(REPORT), fields.get(TRACE));
  }

  void write(WireWriter out) {
    application.ifPresent(name -> APPLICATION.write(out, name));
    report.ifPresent(block -> REPORT.write(out, block));
    trace.ifPresent(context -> TRACE.write(out, context));
  }
}
