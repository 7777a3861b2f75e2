package org.ecstore.tools.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ecstore.cluster.config.ConfigReader;
import org.ecstore.cluster.config.InvalidConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a configuration says of engines with a server, with all kinds on the class path. */
class EngineConfigTest {
  private static final String MYSQL =
      "engine.url must be like \"jdbc:mariadb://localhost:3306/ecstore\" where engine.kind is"
          + " \"mysql\"";

  @TempDir private Path directory;

  private Path file(String kind, String... more) throws IOException {
    return Files.writeString(
        directory.resolve("ecstore.toml"),
        "node.id = 1\nnode.directory = 'data'\nengine.kind = '%s'\n%s\n"
            .formatted(kind, String.join("\n", more)));
  }

  private List<String> problems(String kind, String... more) throws IOException {
    Path file = file(kind, more);
    return assertThrows(InvalidConfigException.class, () -> ConfigReader.read(file, Map.of()))
        .problems()
        .stream()
        .map(problem -> problem.toString().replace(file + ":", "line "))
        .toList();
  }

  @Test
  void aUrlIsHeldAgainstItsKindAndAllThatIsWrongIsSaidAtOnce() throws IOException {
    assertEquals(
        List.of(
            "line 4: " + MYSQL,
            "line 5: engine.password-file: "
                + directory.resolve("password")
                + " is not there: write the password into it",
            "line 6: engine.cache is for an engine within the node's process, and \"mysql\" has its"
                + " cache on its server: set it there (of a server of \"cluster up\" in"
                + " database.options beside this file), and leave engine.cache out"),
        problems(
            "mysql",
            "engine.url = 'redis://:dragon@localhost'",
            "engine.password-file = 'password'",
            "engine.cache = '64MiB'"));
    assertEquals(
        List.of("line 4: " + MYSQL),
        problems("mysql", "engine.url = 'jdbc:mariadb://localhost:3306'"));
    assertEquals(
        List.of(
            "line 4: engine.url must be like \"redis://localhost:6379\" where engine.kind is"
                + " \"redis\""),
        problems("redis", "engine.url = 'jdbc:mariadb://localhost:3306/ecstore'"));
  }

  @Test
  void aUrlIsRefusedThatSetsWhatANodeRestsOn() throws IOException {
    assertEquals(
        List.of(
            "line 4: engine.url must not set autocommit (the node ends its transactions itself),"
                + " pool (a connection that is given up must end) where engine.kind is \"mysql\""),
        problems("mysql", "engine.url = 'jdbc:mariadb://db/shop?Pool=true&autocommit=1'"));
  }

  @Test
  void aUrlIsShownWithoutItsPassword() throws IOException {
    String effective =
        ConfigReader.effective(
            file("redis", "engine.url = 'redis://anna:dragon@localhost:6379'"), Map.of());
    assertFalse(effective.contains("dragon"), effective);
    assertTrue(effective.contains("engine.url = \"redis://anna:***@localhost:6379\""), effective);
    String option =
        ConfigReader.effective(
            file("mysql", "engine.url = 'jdbc:mysql://db/shop?password=dragon'"), Map.of());
    assertFalse(option.contains("dragon"), option);
  }
}
