package org.ecstore.tools.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.ecstore.cluster.config.ConfigReader;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of {@code docs/ec2.md}, with a list of names in the place of instances. */
@Timeout(60)
class Ec2ScriptTest {
  private static final Path PAGE = Path.of("..", "docs", "ec2.md");
  private static final Pattern SCRIPT = Pattern.compile("(?s)```sh\\n(#!/bin/sh\\n.*?)```");

  /** It knows what is tagged, starts no second one of a token, and says what it was told. */
  private static final String AWS =
      """
      #!/bin/sh
      cd "$(dirname "$0")"
      echo "$*" >>told
      for word in "$@"; do
        case "$word" in
        Name=tag:ecstore,Values=*) wanted=${word#Name=tag:ecstore,Values=} ;;
        file://*) cp "${word#file://}" data ;;
        i-*) grep -v "^$word$" instances >left; mv left instances ;;
        esac
      done
      case "$2" in
      describe-instances) grep "^i-$wanted$" instances ;;
      run-instances) grep -q "^i-$4$" instances || echo "i-$4" >>instances ;;
      esac
      true
      """;

  @TempDir private Path temp;
  private List<String> scripts = List.of();

  @BeforeEach
  void make() throws IOException {
    scripts =
        SCRIPT
            .matcher(Files.readString(PAGE))
            .results()
            .map((MatchResult found) -> found.group(1))
            .toList();
    assertEquals(2, scripts.size(), "what an instance does, and the controller's script");
    Files.createFile(temp.resolve("instances"));
    Files.writeString(temp.resolve("user-data"), scripts.get(0));
    Path aws = Files.writeString(temp.resolve("aws"), AWS);
    assertTrue(aws.toFile().setExecutable(true));
    Files.writeString(temp.resolve("provision"), scripts.get(1));
  }

  private int provision(String verb, int node) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("sh", temp.resolve("provision").toString(), verb, Integer.toString(node))
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("printed").toFile());
    Map<String, String> environment = builder.environment();
    environment.put("PATH", temp + ":" + environment.getOrDefault("PATH", "/usr/bin:/bin"));
    environment.put("ECSTORE_HOME", temp.toString());
    environment.put("ECSTORE_CLUSTER", "shop");
    environment.put("ECSTORE_NODE", Integer.toString(node));
    environment.put("ECSTORE_ACTION", "1");
    return builder.start().waitFor();
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(temp.resolve(file));
  }

  @Test
  void anOrderThatIsToldTwiceIsFollowedOnce() throws Exception {
    assertEquals(0, provision("add", 4));
    assertEquals(0, provision("add", 4));
    assertEquals(0, provision("add", 5));
    assertEquals(List.of("i-shop-4", "i-shop-5"), lines("instances"));
    assertEquals(2, lines("told").stream().filter(line -> line.contains("run-instances")).count());
    assertEquals(0, provision("remove", 4));
    assertEquals(0, provision("remove", 4));
    assertEquals(List.of("i-shop-5"), lines("instances"));
    assertEquals(
        List.of("ec2 terminate-instances --instance-ids i-shop-4"),
        lines("told").stream().filter(line -> line.contains("terminate")).toList());
    assertEquals(2, provision("reboot", 4));
    assertEquals(List.of("i-shop-5"), lines("instances"));
  }

  @Test
  void theInstanceWritesAConfigurationThatANodeReads() throws Exception {
    assertEquals(0, provision("add", 14));
    String data = String.join("\n", lines("data"));
    int begin = data.indexOf("<<END\n") + "<<END\n".length();
    String text =
        data.substring(begin, data.indexOf("\nEND", begin)).replace("$address", "10.0.0.9");
    Path file = temp.resolve("node.toml");
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    ServerConfig config = ConfigReader.read(file, Map.of());
    assertEquals(new NodeId(14), config.node());
    assertEquals("m7g.medium", config.nodeClass());
    assertEquals(Optional.of(new BigDecimal("0.041")), config.pricePerHour());
    assertEquals(
        List.of("/etc/ecstore/provision"), config.control().provisioner().orElseThrow().words());
  }
}
