package org.ecstore.cluster.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.ecstore.cluster.config.ConfigReader.Given;
import org.ecstore.server.print.LogText;

/** What people read about configuration, made from the keys themselves. */
public final class ConfigText {
  private ConfigText() {}

  /** The table of the documents, in Markdown. */
  public static String table() {
    StringBuilder text = new StringBuilder("| Key | Value | If not given | Meaning |\n");
    text.append("|---|---|---|---|\n");
    for (ConfigKey<?> key : ConfigKeys.ALL) {
      text.append("| `").append(key.name()).append("` | ").append(key.kind().words());
      text.append(" | ").append(fallback(key)).append(" | ").append(key.help()).append(" |\n");
    }
    return text.toString();
  }

  private static String fallback(ConfigKey<?> key) {
    if (key.fallback().isEmpty()) {
      return key.fallbackText();
    }
    return "`" + inFile(key) + "`";
  }

  private static String inFile(ConfigKey<?> key) {
    return written(key.kind().fromText(key.fallbackText()));
  }

  /** A file that gives every key, with what it means before it. */
  static String effective(Map<ConfigKey<?>, Given> given) {
    StringBuilder text = new StringBuilder();
    for (ConfigKey<?> key : ConfigKeys.ALL) {
      Given value = given.get(key);
      if (value != null && key.kind().secret()) {
        text.append("# ").append(key.name()).append(": given, not shown  # ");
        text.append(LogText.of(value.where())).append('\n');
      } else if (value != null) {
        line(text, key, written(key.kind().visible(value.value())), value.where());
      } else if (key.fallback().isPresent()) {
        line(text, key, inFile(key), "not given");
      } else {
        text.append("# ").append(key.name()).append(": ").append(key.fallbackText()).append('\n');
      }
    }
    return text.toString();
  }

  private static void line(StringBuilder text, ConfigKey<?> key, String value, String from) {
    text.append(key.name()).append(" = ").append(value).append("  # ");
    text.append(LogText.of(from)).append('\n');
  }

  /** A duration as a file has it. */
  public static String duration(Duration value) {
    return ValueKind.written(value);
  }

  /** A size as a file has it; of one that is no number of KiB what is above that is left out. */
  public static String size(long bytes) {
    return ValueKind.writtenSize(bytes);
  }

  /** A text as a file has it, with quotes around it. */
  public static String text(String value) {
    return written(value);
  }

  private static String written(Object value) {
    return switch (value) {
      case List<?> list ->
          list.stream().map(ConfigText::written).collect(Collectors.joining(", ", "[", "]"));
      case String text -> quoted(text);
      default -> value.toString();
    };
  }

  /** What would control a terminal is written as the language of these files has it, too. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      switch (letter) {
        case '\\', '"' -> quoted.append('\\').append(letter);
        default -> quoted.append(LogText.of(letter));
      }
    }
    return quoted.append('"').toString();
  }
}
