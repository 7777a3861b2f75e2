package org.ecstore.tools.objective;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 */
public final class ObjectiveFile {
  private static final long BYTES_MAX = 1 << 20;

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
      for (String application : toml.keySet()) {
        try {
          objectives.add(objective(application, toml.get(List.of(application))));
        } catch (BadInputException e) {
          faults.add(String.valueOf(e.getMessage()));
        }
      }
    }
    if (faults.isEmpty() && objectives.isEmpty()) {
      faults.add("there is no objective in it: begin with a line [NAME]");
    }
    if (!faults.isEmpty()) {
      throw new BadInputException(file + ": " + String.join("\n  ", faults));
    }
    return objectives;
  }

  private static TomlParseResult parsed(Path file) throws IOException {
    try {
      FileErrors.mustBeFile(file);
      if (Files.size(file) > BYTES_MAX) {
        throw new BadInputException(file + " is larger than 1 MiB: it is no file of objectives");
      }
      return Toml.parse(file);
    } catch (NoSuchFileException e) {
      throw new BadInputException("there is no file " + file);
    } catch (CharacterCodingException e) {
      throw new BadInputException(file + " is no text: it is no file of objectives");
    }
  }

  private static Objective objective(String application, @Nullable Object value) {
    if (!(value instanceof TomlTable table)) {
      throw new BadInputException(
          "%s is no objective: begin one by a line [%s]".formatted(application, application));
    }
    List<String> unknown =
        table.keySet().stream().filter(name -> !ObjectiveForm.NAMES.contains(name)).toList();
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
      written.put(name, text(application, name, table.get(List.of(name))));
    }
    return ObjectiveForm.read(application, written, "");
  }

  private static String text(String application, String name, @Nullable Object value) {
    if (value instanceof String || value instanceof Long) {
      return value.toString();
    }
    if (value instanceof TomlArray array
        && array.toList().stream().allMatch(String.class::isInstance)) {
      return array.toList().stream().map(Object::toString).collect(Collectors.joining(","));
    }
    throw new BadInputException(
        "the objective of %s: %s is a text, a whole number or, of tables, a list of texts"
            .formatted(application, name));
  }
}
