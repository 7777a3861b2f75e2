package org.ecstore.cluster.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.ecstore.server.file.FileErrors;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * Reads a configuration file and what the environment says instead. Everything that is wrong is
 * said at once.
 */
public final class ConfigReader {
  /** Read by the scripts, not by a node; or told to a provisioner, which may start one. */
  private static final List<String> OTHER_VARIABLES =
      List.of(
          "ECSTORE_JAVA_OPTS",
          "ECSTORE_JDK_DIRS",
          "ECSTORE_ACTION",
          "ECSTORE_NODE",
          "ECSTORE_CLUSTER");

  private static final int NOWHERE = 0;
  private static final int FILE_BYTES_MAX = 256 << 10;
  private static final int DEPTH_MAX = 64;

  /** Around texts of several lines. */
  private static final String LONG_TEXT = "\"\"\"";

  private static final String LONG_LITERAL = "'''";

  private final Path file;
  private final Map<String, String> environment;

  /** Problems with their lines, 0 for those of the environment or of nothing in particular. */
  private final List<Located> problems = new ArrayList<>();

  private final Map<ConfigKey<?>, Given> given = new LinkedHashMap<>();

  /** Nothing of the file was read. */
  private boolean unfit;

  private record Located(int line, ConfigProblem problem) {}

  /** A value and where it stands. */
  record Given(Object value, String where, int line) {}

  private ConfigReader(Path file, Map<String, String> environment) {
    this.file = file;
    this.environment = environment;
  }

  /**
   * Reads a file.
   *
   * @param environment what comes before the file
   * @throws InvalidConfigException with all that is wrong
   * @throws IOException if the file cannot be read
   */
  public static ServerConfig read(Path file, Map<String, String> environment) throws IOException {
    return new ConfigReader(file, environment).read().config();
  }

  /** What a file and the environment come to, as a file with remarks where each value is from. */
  public static String effective(Path file, Map<String, String> environment) throws IOException {
    return ConfigText.effective(new ConfigReader(file, environment).read().values());
  }

  private record Result(ServerConfig config, Map<ConfigKey<?>, Given> values) {}

  private Result read() throws IOException {
    Parsed parsed = parse();
    take(parsed);
    takeEnvironment();
    ConfigValues values = new ConfigValues(file.toAbsolutePath(), given, this::problem);
    Optional<ServerConfig> config = values.config(parsed.result().hasErrors() || unfit);
    if (!problems.isEmpty() || config.isEmpty()) {
      throw new InvalidConfigException(
          problems.stream()
              .sorted(Comparator.comparingInt(Located::line))
              .map(Located::problem)
              .distinct()
              .toList());
    }
    return new Result(config.get(), given);
  }

  /**
   * What the parser says of a text.
   *
   * @param paths of all keys, with those of tables: one in a place of a value, and an empty one of
   *     an unknown name, are looked at too
   */
  private record Parsed(TomlParseResult result, Set<List<String>> paths) {
    static Parsed of(String text) {
      TomlParseResult result = Toml.parse(text);
      return new Parsed(result, result.keyPathSet(true));
    }
  }

  private Parsed parse() throws IOException {
    FileErrors.mustBeFile(file);
    Parsed parsed = parsed(text());
    for (TomlParseError error : parsed.result().errors()) {
      int line = error.position().line();
      problem(line, file + ":" + line, String.valueOf(error.getMessage()));
    }
    return parsed;
  }

  /** Both of the parser's steps go down as deep as the text is nested. */
  private Parsed parsed(String text) {
    try {
      return Parsed.of(text);
    } catch (StackOverflowError e) {
      return Parsed.of(unfit("is nested too deeply: no configuration is"));
    }
  }

  /** What the file says; nothing if that is not fit for the parser, which goes down with it. */
  private String text() throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(FILE_BYTES_MAX + 1);
    }
    if (bytes.length > FILE_BYTES_MAX) {
      return unfit("is longer than " + FILE_BYTES_MAX / 1024 + " KiB: no configuration is");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      int depth = depth(text);
      return depth > DEPTH_MAX
          ? unfit("is nested " + depth + " deep: no configuration needs " + DEPTH_MAX)
          : text;
    } catch (CharacterCodingException e) {
      return unfit("is not a text file in UTF-8");
    }
  }

  private String unfit(String why) {
    unfit = true;
    problem(null, why);
    return "";
  }

  /**
   * How deep brackets and the parts of keys go, at most: counted, not understood. A comment does
   * not count where it is surely one. What is not found here the parser finds, by its stack.
   */
  private static int depth(String text) {
    int depth = 0;
    int deepest = 0;
    boolean hasLongText = text.contains(LONG_TEXT) || text.contains(LONG_LITERAL);
    for (String line : text.lines().toList()) {
      String said = hasLongText ? surelyWithoutComment(line) : withoutComment(line);
      long parts = said.split("=", 2)[0].chars().filter(letter -> letter == '.').count();
      deepest = Math.max(deepest, (int) parts);
      for (int i = 0; i < said.length(); i++) {
        switch (said.charAt(i)) {
          case '[', '{' -> depth++;
          case ']', '}' -> depth = Math.max(0, depth - 1);
          default -> {}
        }
        deepest = Math.max(deepest, depth);
      }
    }
    return deepest;
  }

  /** A line without its comment, where no text goes over several lines. */
  private static String withoutComment(String line) {
    char quote = 0;
    boolean isEscaped = false;
    for (int i = 0; i < line.length(); i++) {
      char letter = line.charAt(i);
      if (quote == 0 && letter == '#') {
        return line.substring(0, i);
      }
      if (isEscaped) {
        isEscaped = false;
      } else if (quote == 0) {
        quote = letter == '"' || letter == '\'' ? letter : quote;
      } else if (letter == quote) {
        quote = 0;
      } else {
        isEscaped = letter == '\\' && quote == '"';
      }
    }
    return line;
  }

  /**
   * A line without its comment. Where a text may begin, or one of several lines end, what stands
   * behind the sign may be none: such a line is taken as it is.
   */
  private static String surelyWithoutComment(String line) {
    boolean isComment = line.stripLeading().startsWith("#");
    if (isComment && !line.contains(LONG_TEXT) && !line.contains(LONG_LITERAL)) {
      return "";
    }
    return line.contains("\"") || line.contains("'") ? line : line.split("#", 2)[0];
  }

  private void take(Parsed parsed) {
    TomlParseResult result = parsed.result();
    Map<String, ConfigKey<?>> known = new TreeMap<>();
    ConfigKeys.ALL.forEach(key -> known.put(key.name(), key));
    for (List<String> path : parsed.paths()) {
      String name = String.join(".", path);
      Object value = result.get(path);
      int line = line(result.inputPositionOf(path));
      String where = file + ":" + line;
      ConfigKey<?> key = known.get(name);
      if (key != null && value != null) {
        take(key, new Given(plain(value), where, line));
      } else if (value instanceof TomlTable table) {
        boolean needed = known.keySet().stream().anyMatch(each -> each.startsWith(name + "."));
        if (!needed && table.isEmpty()) {
          problem(line, where, unknown("table", name, tables()));
        }
      } else {
        problem(line, where, unknown("key", name, known.keySet()));
      }
    }
  }

  private static List<String> tables() {
    return ConfigKeys.ALL.stream()
        .map(ConfigKey::name)
        .filter(name -> name.contains("."))
        .map(name -> name.substring(0, name.indexOf('.')))
        .distinct()
        .toList();
  }

  private static int line(@Nullable TomlPosition position) {
    return position == null ? NOWHERE : position.line();
  }

  private static Object plain(Object value) {
    return value instanceof TomlArray array
        ? array.toList().stream().map(ConfigReader::plain).toList()
        : value;
  }

  private static String unknown(String what, String name, Iterable<String> candidates) {
    List<String> names = new ArrayList<>();
    candidates.forEach(names::add);
    String hint = Nearest.to(name, names).map(near -> ": did you mean " + near + "?").orElse("");
    return "there is no " + what + " " + name + hint;
  }

  private void takeEnvironment() {
    Map<String, ConfigKey<?>> variables = new TreeMap<>();
    ConfigKeys.ALL.forEach(key -> variables.put(key.variable(), key));
    new TreeMap<>(environment)
        .forEach(
            (name, text) -> {
              ConfigKey<?> key = variables.get(name);
              if (key != null) {
                take(key, new Given(key.kind().fromText(text), "environment " + name, NOWHERE));
              } else if (name.startsWith("ECSTORE_") && !OTHER_VARIABLES.contains(name)) {
                // Others may use the prefix for something else; a slip of the pen is likely here.
                Nearest.to(name, variables.keySet())
                    .ifPresent(
                        near ->
                            problem(
                                NOWHERE,
                                "environment " + name,
                                "there is no such variable: did you mean " + near + "?"));
              }
            });
  }

  private void take(ConfigKey<?> key, Given value) {
    if (key.kind().read(value.value()).isPresent()) {
      given.put(key, value);
    } else {
      // Remembered nevertheless: it is wrong, not missing.
      given.put(key, value);
      problem(
          value.line(),
          value.where(),
          key.name()
              + " must be "
              + key.kind().words()
              + ", not "
              + key.kind().seen(value.value()));
    }
  }

  private void problem(int line, String where, String message) {
    problems.add(new Located(line, new ConfigProblem(where, message)));
  }

  /** A problem with a key, or with the file as a whole. */
  private void problem(@Nullable ConfigKey<?> key, String message) {
    Given at = key == null ? null : given.get(key);
    if (at == null) {
      problem(Integer.MAX_VALUE, file.toString(), message);
    } else {
      problem(at.line(), at.where(), message);
    }
  }
}
