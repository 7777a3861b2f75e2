package org.ecstore.tools.cli.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.client.ChangeReader;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.LocalCluster;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ChangesCommandTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  @TempDir private static Path directory;
  private static LocalCluster cluster;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws IOException {
    cluster = LocalCluster.start(directory, ClusterSettings.DEFAULT.withNodes(1).withCopies(1));
  }

  @AfterAll
  static void end() throws IOException {
    cluster.close();
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(
            Stream.concat(
                    Stream.of("changes", "--connect", cluster.addresses()),
                    Arrays.stream(arguments))
                .toArray(String[]::new));
  }

  private List<JsonNode> lines() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      lines.add(MAPPER.readTree(line));
    }
    return lines;
  }

  /** Writes three commits, and gives the token of the moment before. */
  private static String written(String name) throws IOException {
    Table<Bytes> table = Table.of(name, Codec.bytes());
    try (EcStore store = EcStore.connect(cluster.addresses());
        ChangeReader<Bytes> reader = store.changes(table).open()) {
      String token = reader.token();
      store.execute(
          tx -> {
            tx.put(table, Tuple.of("a", 1), Bytes.utf8("{\"n\":1}"));
            tx.put(table, Tuple.of("b"), Bytes.utf8("two words"));
          });
      store.execute(tx -> tx.put(table, Tuple.of("a", 1), Bytes.of(0xff)));
      store.execute(tx -> tx.delete(table, Tuple.of("b")));
      return token;
    }
  }

  @Test
  void commitsAreLinesOfJson() throws IOException {
    String token = written("lines");
    assertEquals(0, run("--table", "lines", "--json", "--from", token, "--count", "3"));
    List<JsonNode> lines = lines();
    assertEquals(
        "[{\"key\":[\"a\",1],\"value\":{\"n\":1}},{\"key\":[\"b\"],\"text\":\"two words\"}]",
        lines.get(0).get("changes").toString());
    assertEquals(
        "[{\"key\":[\"a\",1],\"base64\":\"/w==\"}]", lines.get(1).get("changes").toString());
    assertEquals("[{\"key\":[\"b\"],\"deleted\":true}]", lines.get(2).get("changes").toString());
    assertTrue(
        lines.get(0).get("commit").asLong() < lines.get(2).get("commit").asLong(), out::toString);

    String behind = lines.get(1).get("token").asText();
    assertEquals(
        0, run("--table", "lines", "--json", "--before", "--from", behind, "--count", "1"));
    assertEquals(
        "[{\"key\":[\"b\"],\"deleted\":true,\"before\":{\"text\":\"two words\"}}]",
        lines().get(0).get("changes").toString());
    assertEquals(0, run("--table", "lines", "--from", token, "--count", "1"));
    assertTrue(out.toString().contains("(\"a\", 1)"), out::toString);
  }

  @Test
  void aNameGoesOnWhereItWas() throws IOException {
    String token = written("named");
    String[] named = {"--table", "named", "--json", "--reader", "r", "--count", "2"};
    assertEquals(
        0,
        run(
            Stream.concat(Arrays.stream(named), Stream.of("--from", token))
                .toArray(String[]::new)));
    assertEquals(2, lines().size());
    assertEquals(0, run("--table", "named", "--json", "--reader", "r", "--within", "2"));
    assertEquals(1, lines().size(), out::toString);
    assertEquals(0, run("--table", "named", "--json", "--reader", "r", "--within", "1"));
    assertEquals(0, lines().size(), out::toString);
  }

  @Test
  void whatCannotBeIsSaid() {
    for (String[] each :
        new String[][] {
          {"--count", "0", "--count must be at least 1"},
          {"--within", "0", "--within is of 1 to 86400"},
          {"--before", "--before is for --json"},
          {"--from", "nonsense", "token"},
        }) {
      String[] arguments = Arrays.copyOf(each, each.length - 1);
      assertEquals(
          2,
          run(
              Stream.concat(Stream.of("--table", "none"), Arrays.stream(arguments))
                  .toArray(String[]::new)),
          () -> Arrays.toString(each));
      assertTrue(err.toString().contains(each[each.length - 1]), err::toString);
    }
  }
}
