package org.ecstore.tools.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.protocol.ReplyTable;
import org.ecstore.protocol.RequestTable;
import org.ecstore.txn.message.NodeMessages;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.OptionalField;

/** The document that lists the messages, from their tables and the Javadoc of their records. */
final class MessageList {
  private static final Pattern SENTENCE = Pattern.compile("^(.*?[.?!;])(\\s|$)", Pattern.DOTALL);
  private static final Pattern TAG = Pattern.compile("\\{@\\w+\\s+([^}]*)}");

  private final StringBuilder text = new StringBuilder();

  private MessageList() {}

  /** All of it. */
  static String text() throws IOException {
    MessageList list = new MessageList();
    list.head();
    list.table("Requests of clients", RequestTable.rows());
    list.fields("Optional fields of requests", RequestTable.optionalFields());
    list.table("Replies to clients", ReplyTable.rows());
    list.fields("Optional fields of replies", ReplyTable.optionalFields());
    for (MessageTable<? extends NodeMessage> table : NodeMessages.tables()) {
      list.table(
          "Between nodes: %ss, %d to %d"
              .formatted(what(table), table.numberMin(), table.numberMax()),
          table.rows());
    }
    return list.text.toString();
  }

  /** The words of a family, by its class. */
  private static String what(MessageTable<?> table) {
    return table
        .family()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT);
  }

  private void head() {
    text.append(
        """
        # Messages

        `MessageListTest` writes this list from the tables of messages (`RequestTable`, `ReplyTable`, `NodeMessages`) and the
        Javadoc of their records, and fails when it is stale. A number is fixed for ever. *Since* is the version of the
        protocol that first has the message; this code speaks %s.

        The body of a client's frame is a 1, the number (one byte each), the correlation (varint), the fields in the order
        of the record's components, and optional fields up to the end: tag (varint), length (varint), so many bytes. Tags
        ascend. A reader passes by the tags that it does not know. An envelope between nodes may have such fields as well;
        none has any yet. A refusal may answer every request.
        """
            .formatted(spoken()));
  }

  private static String spoken() {
    return ProtocolVersions.SPOKEN.toString();
  }

  private void table(String title, List<? extends MessageTable.Row<?>> rows) throws IOException {
    text.append("\n## ").append(title).append("\n\n");
    text.append("| Number | Message | Answered by | Since | What it is |\n|---|---|---|---|---|\n");
    for (MessageTable.Row<?> row : rows) {
      text.append(
          "| %d | %s | %s | %d | %s |\n"
              .formatted(
                  row.number(),
                  row.type().getSimpleName(),
                  row.answers().stream()
                      .map(Class::getSimpleName)
                      .collect(Collectors.joining(", ")),
                  row.since(),
                  meaning(row.type())));
    }
  }

  private void fields(String title, List<OptionalField<?>> fields) {
    text.append("\n## ").append(title).append("\n\n");
    text.append("| Tag | Field | Of | What it is |\n|---|---|---|---|\n");
    for (OptionalField<?> field : fields) {
      text.append(
          "| %d | %s | %s | %s |\n"
              .formatted(field.tag(), field.name(), field.messages(), field.meaning()));
    }
  }

  /** The first sentence of a record's Javadoc. */
  private static String meaning(Class<?> type) throws IOException {
    Path source =
        Sources.files("main").stream()
            .filter(file -> file.endsWith(outermost(type).getName().replace('.', '/') + ".java"))
            .findFirst()
            .orElseThrow();
    return meaning(Files.readString(source), type.getSimpleName());
  }

  /** The same in a source. */
  static String meaning(String source, String record) {
    Pattern declared =
        Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s*record " + record + "\\(", Pattern.DOTALL);
    Matcher found = declared.matcher(source);
    if (!found.find()) {
      throw new AssertionError("the list of messages needs a line of Javadoc at record " + record);
    }
    return firstSentence(found.group(1));
  }

  /** The first sentence of what stands between the marks of a comment, in words. */
  static String firstSentence(String javadoc) {
    String plain =
        TAG.matcher(javadoc.replaceAll("\\s*\\n\\s*\\* ?", " ").strip())
            .replaceAll(MessageList::words);
    Matcher sentence = SENTENCE.matcher(plain);
    String first = sentence.find() ? sentence.group(1) : plain;
    return first.replaceFirst(";$", ".").replaceAll("\\s+", " ").replace("|", "\\|");
  }

  /** A link's last name, or what is shown as code. */
  private static String words(MatchResult tag) {
    String shown = tag.group(1).strip();
    if (!tag.group().startsWith("{@link")) {
      return Matcher.quoteReplacement("`" + shown + "`");
    }
    String[] parts = shown.split("\\s+", 2);
    return Matcher.quoteReplacement(
        parts.length == 2 ? parts[1] : parts[0].replaceAll("^.*[.#]", ""));
  }

  private static Class<?> outermost(Class<?> type) {
    Class<?> outer = type;
    while (outer.getEnclosingClass() != null) {
      outer = outer.getEnclosingClass();
    }
    return outer;
  }
}
