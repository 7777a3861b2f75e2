package org.ecstore.tools.objective;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.ecstore.model.objective.Objective;
import org.ecstore.server.file.FileErrors;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/**
 * A file of objectives, as TOML: a table of each application, with the names of {@link
 * ObjectiveForm}.
 *
 * <pre>
 * [shop]
 * tables = ["users", "orders"]
 * p99 = "20ms"
 * rate = 4000
 * reads = "95%"
 * </pre>
 *
 * <p>A file without such tables is of one application, which is called as the file: {@code
 * shop.toml}.
 */
public final class ObjectiveFile {
  private static final long BYTES_MAX = 1 << 20;

  /** Before the text of files that editors of Windows write. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private ObjectiveFile() {}

  /**
   * Its objectives, in the order of the file.
   *
   * @throws BadInputException with all that is wrong
   */
  public static List<Objective> read(Path file) throws IOException {
    TomlParseResult toml = parsed(file);
    List<Objective> objectives = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    toml.errors().forEach(error -> faults.add(error.toString()));
    if (faults.isEmpty()) {
      read(file, toml, objectives, faults);
    }
    if (faults.isEmpty() && objectives.isEmpty()) {
      faults.add("there is no objective in it: begin with a line [NAME]");
    }
    if (!faults.isEmpty()) {
      throw new BadInputException(file + ": " + String.join("\n  ", faults));
    }
    return objectives;
  }

  private static void read(
      Path file, TomlTable toml, List<Objective> objectives, List<String> faults) {
    List<String> alone =
        toml.keySet().stream()
            .filter(name -> !(toml.get(List.of(name)) instanceof TomlTable))
            .toList();
    boolean isOfOne =
        alone.size() == toml.keySet().size() && alone.stream().anyMatch(ObjectiveFile::isKnown);
    Set<String> applications = isOfOne ? Set.of(stem(file)) : toml.keySet();
    for (String application : applications) {
      try {
        objectives.add(objective(application, isOfOne ? toml : toml.get(List.of(application))));
      } catch (BadInputException e) {
        faults.add(String.valueOf(e.getMessage()));
      }
    }
  }

  private static boolean isKnown(String written) {
    return ObjectiveForm.NAMES.contains(name(written));
  }

  /** Both {@code data-size} and {@code data_size} are the former. */
  private static String name(String written) {
    return written.replace('_', '-');
  }

  /** The name of a file without its ending. */
  private static String stem(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.[A-Za-z0-9]+$", "");
  }

  private static TomlParseResult parsed(Path file) throws IOException {
    try {
      FileErrors.mustBeFile(file);
      if (Files.size(file) > BYTES_MAX) {
        throw new BadInputException(file + " is larger than 1 MiB: it is no file of objectives");
      }
      String text = Files.readString(file);
      return Toml.parse(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
    } catch (NoSuchFileException e) {
      throw new BadInputException("there is no file " + file);
    } catch (CharacterCodingException e) {
      throw new BadInputException(file + " is no text: it is no file of objectives");
    } catch (StackOverflowError e) {
      throw new BadInputException(file + " is nested too deeply: it is no file of objectives");
    }
  }

  private static Objective objective(String application, @Nullable Object value) {
    if (!(value instanceof TomlTable table)) {
      throw new BadInputException(
          isKnown(application)
              ? "%s is of no application: put it below a line [NAME]".formatted(application)
              : "%s is no objective: begin one by a line [%s]".formatted(application, application));
    }
    List<String> unknown = table.keySet().stream().filter(name -> !isKnown(name)).toList();
    for (String name : unknown) {
      if (table.get(List.of(name)) instanceof TomlTable) {
        throw new BadInputException(
            "[%s.%s] is a table within %s: a name with a point needs quotes, [\"%s.%s\"]"
                .formatted(application, name, application, application, name));
      }
    }
    if (!unknown.isEmpty()) {
      throw new BadInputException(
          "the objective of %s: there is no %s; there are %s"
              .formatted(
                  application,
                  String.join(", ", unknown),
                  String.join(", ", new TreeSet<>(ObjectiveForm.NAMES))));
    }
    Map<String, String> written = new LinkedHashMap<>();
    for (String name : table.keySet()) {
      String text = text(application, name, table.get(List.of(name)));
      if (written.put(name(name), text) != null) {
        throw new BadInputException(
            "the objective of %s: %s is there twice".formatted(application, name(name)));
      }
    }
    return ObjectiveForm.read(application, written, "");
  }

  private static String text(String application, String name, @Nullable Object value) {
    if (value instanceof String || value instanceof Long) {
      return value.toString();
    }
    if (value instanceof Double number && Double.isFinite(number)) {
      return number(name(name), BigDecimal.valueOf(number));
    }
    if (value instanceof TomlArray array
        && array.toList().stream().allMatch(String.class::isInstance)) {
      return array.toList().stream().map(Object::toString).collect(Collectors.joining(","));
    }
    throw new BadInputException(
        "the objective of %s: %s is a text, a number or, of tables, a list of texts"
            .formatted(application, name));
  }

  /** 4000.0 is 4000; of reads, which may be a share, the point stays: 1.0 is all of them. */
  private static String number(String name, BigDecimal number) {
    return name.equals(ObjectiveForm.READS)
        ? number.toPlainString()
        : number.stripTrailingZeros().toPlainString();
  }
}
