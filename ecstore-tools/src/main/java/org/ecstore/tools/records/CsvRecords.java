package org.ecstore.tools.records;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.DuplicateHeaderMode;

/**
 * Records as lines of CSV with a header. As {@link CsvWriter} writes them: {@code key} is the JSON
 * of a key, {@code kind} says what {@code value} is, json, text or base64. Or of another's making:
 * some columns are the key, and all others a JSON object by their names, of strings but for those
 * whose type is said.
 */
public final class CsvRecords implements RecordSource {
  static final String KEY = "key";
  static final String KIND = "kind";
  static final String VALUE = "value";
  static final String JSON = "json";
  private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
  static final List<String> HEADER = List.of(KEY, KIND, VALUE);

  /** The longest record: a quote that is not closed would take all of the rest. */
  private static final int RECORD_CHARS_MAX = LineReader.LINE_BYTES_MAX;

  private final BoundedReader text;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;
  private final List<TypedColumn> key;
  private final List<TypedColumn> typed;
  private final RecordJson json;
  private long number;
  private long line;

  /**
   * The records of a stream in UTF-8.
   *
   * @param key the columns that make the key, in order; none for what this program has written
   * @param typed those of the others that are no text
   * @throws BadRecordException if the header lacks a column
   */
  public CsvRecords(InputStream in, String table, List<TypedColumn> key, List<TypedColumn> typed)
      throws IOException, BadRecordException {
    this.key = List.copyOf(key);
    this.typed = List.copyOf(typed);
    json = new RecordJson(table);
    text =
        new BoundedReader(
            new InputStreamReader(withoutMark(in), StandardCharsets.UTF_8.newDecoder()));
    try {
      parser =
          CSVFormat.RFC4180
              .builder()
              .setHeader()
              .setDuplicateHeaderMode(DuplicateHeaderMode.DISALLOW)
              .setSkipHeaderRecord(true)
              .setIgnoreEmptyLines(true)
              .get()
              .parse(text);
    } catch (CharacterCodingException | TooLongException e) {
      throw new BadRecordException("no CSV: " + why(e), e);
    } catch (IllegalArgumentException | CSVException e) {
      throw new BadRecordException("the header is none: " + why(e), e);
    }
    records = parser.iterator();
    List<String> wanted =
        key.isEmpty()
            ? HEADER
            : Stream.concat(key.stream(), typed.stream()).map(TypedColumn::name).toList();
    if (key.isEmpty() && parser.getHeaderNames().size() > HEADER.size()) {
      throw new BadRecordException(
          "the columns are %s, and an export's %s: --key says which of them are the key"
              .formatted(parser.getHeaderNames(), HEADER));
    }
    for (String column : wanted) {
      if (!parser.getHeaderMap().containsKey(column)) {
        throw new BadRecordException(
            "the header has no column \"%s\"; there are %s%s"
                .formatted(
                    column,
                    parser.getHeaderNames(),
                    key.isEmpty() ? ": --key says which of them are the key" : ""));
      }
    }
  }

  @Override
  public Optional<RecordLine> next() throws IOException, BadRecordException {
    Optional<CSVRecord> row = row();
    return row.isEmpty() ? Optional.empty() : Optional.of(record(row.get()));
  }

  private Optional<CSVRecord> row() throws IOException, BadRecordException {
    long before = number;
    text.begin();
    try {
      line = parser.getCurrentLineNumber() + 1;
      if (!records.hasNext()) {
        return Optional.empty();
      }
      number++;
      return Optional.of(records.next());
    } catch (UncheckedIOException | IllegalStateException e) {
      number = before + 1;
      throw new BadRecordException("no CSV: " + why(e), e);
    }
  }

  /** A record does not end. */
  private static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1;

    TooLongException() {
      super(
          "the record is longer than %d characters: a quote in it may not be closed"
              .formatted(RECORD_CHARS_MAX));
    }
  }

  /** Counts what is read for one record: that, and what the parser reads ahead. */
  private static final class BoundedReader extends FilterReader {
    private long chars;

    BoundedReader(Reader in) {
      super(in);
    }

    /** Another record is next. */
    void begin() {
      chars = 0;
    }

    @Override
    public int read() throws IOException {
      int one = super.read();
      count(one < 0 ? 0 : 1);
      return one;
    }

    @Override
    public int read(char[] into, int offset, int length) throws IOException {
      int some = super.read(into, offset, length);
      count(some);
      return some;
    }

    private void count(int some) throws TooLongException {
      chars += Math.max(0, some);
      if (chars > RECORD_CHARS_MAX) {
        throw new TooLongException();
      }
    }
  }

  private static String why(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return cause instanceof CharacterCodingException
        ? "it is not in UTF-8"
        : String.valueOf(cause.getMessage());
  }

  /** Some programs put a mark before text in UTF-8. */
  private static InputStream withoutMark(InputStream in) throws IOException {
    PushbackInputStream text = new PushbackInputStream(in, MARK.length);
    byte[] first = text.readNBytes(MARK.length);
    if (!Arrays.equals(first, MARK)) {
      text.unread(first);
    }
    return text;
  }

  private RecordLine record(CSVRecord row) throws BadRecordException {
    if (!row.isConsistent()) {
      throw new BadRecordException(
          "the line has %d columns, and the header %d"
              .formatted(row.size(), parser.getHeaderNames().size()));
    }
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    if (key.isEmpty()) {
      return written(row);
    }
    List<Object> elements = new ArrayList<>();
    for (TypedColumn column : key) {
      elements.add(column.element(row.get(column.name())));
    }
    for (String name : parser.getHeaderNames()) {
      if (named(key, name).isEmpty()) {
        named(typed, name)
            .orElse(new TypedColumn(name, TypedColumn.Type.TEXT))
            .put(line, row.get(name));
      }
    }
    return json.of(elements, line);
  }

  private static Optional<TypedColumn> named(List<TypedColumn> columns, String name) {
    return columns.stream().filter(column -> column.name().equals(name)).findFirst();
  }

  private RecordLine written(CSVRecord row) throws BadRecordException {
    String kind = row.get(KIND);
    return json.of(row.get(KEY), kind.equals(JSON) ? RecordJson.VALUE : kind, row.get(VALUE));
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public long line() {
    return line;
  }
}
