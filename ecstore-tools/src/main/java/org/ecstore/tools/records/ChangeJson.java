package org.ecstore.tools.records;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Optional;
import org.ecstore.client.Change;
import org.ecstore.client.ChangedCommit;
import org.ecstore.key.Bytes;

/**
 * Commits as lines of JSON: {@code
 * {"commit":42,"changes":[{"key":["a"],"value":1}],"token":"..."}}. A change has its value as a
 * record's line has it, or {@code "deleted":true}; of an operation whose value is no longer kept,
 * {@code "lost":true}. What was before is in {@code "before"}, an object with the value in the same
 * way, or empty if there was none.
 */
public final class ChangeJson {
  private final boolean withBefore;

  /**
   * Lines.
   *
   * @param withBefore whether the commits were read with the values from before
   */
  public ChangeJson(boolean withBefore) {
    this.withBefore = withBefore;
  }

  /** The line of a commit, without its end. */
  public String line(ChangedCommit<Bytes> commit) throws IOException {
    StringWriter line = new StringWriter();
    try (JsonGenerator out = RecordJson.FACTORY.createGenerator(line)) {
      out.writeStartObject();
      out.writeNumberField("commit", commit.number().value());
      out.writeArrayFieldStart("changes");
      for (Change<Bytes> change : commit.changes()) {
        write(change, out);
      }
      out.writeEndArray();
      out.writeStringField("token", commit.token());
      out.writeEndObject();
    }
    return line.toString();
  }

  private void write(Change<Bytes> change, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeFieldName("key");
    ElementJson.write(change.key(), out);
    if (!change.isValueKept()) {
      out.writeBooleanField("lost", true);
    } else {
      Optional<Bytes> value = change.value();
      if (value.isPresent()) {
        RecordJson.writeValue(value.get(), out);
      } else {
        out.writeBooleanField("deleted", true);
      }
    }
    if (withBefore && change.isBeforeKept()) {
      Optional<Bytes> before = change.before();
      out.writeObjectFieldStart("before");
      if (before.isPresent()) {
        RecordJson.writeValue(before.get(), out);
      }
      out.writeEndObject();
    }
    out.writeEndObject();
  }
}
