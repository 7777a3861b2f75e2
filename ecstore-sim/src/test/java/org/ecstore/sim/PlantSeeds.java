package org.ecstore.sim;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A seed for each planted bug that has found it, a line each: the name and the seed. What a seed
 * meets changes with the protocol and with what seeds draw, so a line may no longer find its bug.
 */
final class PlantSeeds {
  private static final String FILE = "plant-seeds.txt";
  private static final Path SOURCE = Path.of("src/test/resources/org/ecstore/sim").resolve(FILE);

  private PlantSeeds() {}

  static Map<String, Long> read() {
    try (InputStream in = PlantSeeds.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException(FILE + " is not there");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split(" ", 2))
          .collect(
              Collectors.toMap(
                  row -> row[0], row -> Long.valueOf(row[1]), Long::min, TreeMap::new));
    } catch (IOException e) {
      throw new IllegalStateException(FILE + " cannot be read", e);
    }
  }

  /** Replaces the file in the sources. */
  static void write(Map<String, Long> seeds) throws IOException {
    List<String> lines =
        new TreeMap<>(seeds)
            .entrySet().stream().map(row -> row.getKey() + " " + row.getValue()).toList();
    Files.write(SOURCE, lines);
  }
}
