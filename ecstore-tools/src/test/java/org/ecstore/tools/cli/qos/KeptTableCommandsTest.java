package org.ecstore.tools.cli.qos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.id.NodeId;
import org.ecstore.protocol.ClientReply.TableLine;
import org.ecstore.protocol.ClientReply.TableUseLine;
import org.ecstore.protocol.ClientReply.Tables;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad input of {@code qos table use}, {@code list} and {@code remove}, and what they print. */
class KeptTableCommandsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private void refused(String why, String... args) {
    err.getBuffer().setLength(0);
    int status =
        EcStoreMain.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    assertEquals(ExitStatus.BAD_INPUT, status, out::toString);
    assertTrue(err.toString().contains(why), err::toString);
    assertEquals("", out.toString());
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  @Test
  void badInputIsRefusedWithAllThatIsWrong() throws IOException {
    refused("which table? give its file, or say use, list or remove", "qos", "table");
    refused("Missing required parameter: 'FILE'", "qos", "table", "use");
    refused("Missing required parameter: 'NAME'", "qos", "table", "remove");
    String bad = file("bad.csv", "1,2,3\n4,5,6,x\n");
    refused("line 1: 3 fields", "qos", "table", "use", bad, "--dir", "x");
    refused("line 2: MB/s must be", "qos", "table", "use", bad, "--dir", "x");
    String good = file("good.csv", "8,1,10,1\n");
    refused("give its directory in --dir DIR", "qos", "table", "use", good);
    refused("there is no cluster in", "qos", "table", "use", good, "--dir", directory.toString());
    String odd = file("my table.csv", "8,1,10,1\n");
    refused("not \"my table\": give another one by --name", "qos", "table", "use", odd);
    refused("not \"\": give another", "qos", "table", "use", good, "--name", " ");
    refused("not \"a/b\"", "qos", "table", "remove", "a/b", "--dir", "x");
    refused("give its directory in --dir DIR", "qos", "table", "list");
  }

  private static final Tables TABLES =
      new Tables(
          new NodeId(2),
          List.of(
              new TableLine("reads", 1_000, "je, build 1", "1 to 64 clients on 2 to 4 nodes", ""),
              new TableLine("old", 0, "je, build 0", "8 clients on 1 nodes", "n1 has 1")),
          List.of(
              new TableUseLine("shop", Optional.of("reads"), ""),
              new TableUseLine("mail", Optional.empty(), "table old is stale: n1 has 1")));

  @Test
  void tablesAreShownWithWhyTheyAreNotConsulted() {
    assertEquals(
        List.of(
            "table reads: je, build 1; 1 to 64 clients on 2 to 4 nodes; consulted",
            "table old: je, build 0; 8 clients on 1 nodes; STALE, not consulted: n1 has 1",
            "shop goes by table reads",
            "mail goes by the formula of a queue: table old is stale: n1 has 1"),
        KeptTableText.lines(TABLES));
    assertEquals(
        "{\"steward\":2,\"tables\":[{\"name\":\"reads\",\"since\":\"1970-01-01T00:00:01Z\","
            + "\"measured\":\"je, build 1\",\"cells\":\"1 to 64 clients on 2 to 4 nodes\","
            + "\"consulted\":true},{\"name\":\"old\",\"since\":\"1970-01-01T00:00:00Z\","
            + "\"measured\":\"je, build 0\",\"cells\":\"8 clients on 1 nodes\","
            + "\"consulted\":false,\"stale\":\"n1 has 1\"}],\"predictedBy\":[{\"application\":"
            + "\"shop\",\"table\":\"reads\"},{\"application\":\"mail\",\"why\":"
            + "\"table old is stale: n1 has 1\"}]}",
        KeptTableText.json(TABLES).toString());
    assertEquals(
        List.of("no table is kept: predictions go by the formula of a queue (qos table use)"),
        KeptTableText.lines(new Tables(new NodeId(2), List.of(), List.of())));
  }
}
