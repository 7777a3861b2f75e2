package org.ecstore.cluster.flags;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.ecstore.cluster.node.Machine;
import org.ecstore.cluster.node.NodeResources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeFlagsTest {
  private static final Machine MACHINE = new Machine(4L << 30, 2);
  private static final List<String> QUICK_ALONE =
      List.of("-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=0.1");

  /** Of a node that shares few processors with others. */
  private static final String SHARED = "-XX:CompileThresholdScaling=4";

  @TempDir private Path temp;

  @Test
  void everyNodeEndsWhenItFindsNoMemory() throws Exception {
    List<String> flags = NodeFlags.read();
    assertTrue(flags.contains("-XX:+ExitOnOutOfMemoryError"), flags::toString);
    assertTrue(flags.stream().allMatch(flag -> flag.startsWith("-")), flags::toString);
  }

  @Test
  void whatAProcessHasIsReadFromItsCommandLine() {
    List<String> given = List.of("-Xmx1g", "-XX:+UseParallelGC");
    List<String> words = new ArrayList<>(List.of("/jdk/bin/java"));
    words.addAll(JvmFlags.beside(NodeResources.SMALL.flags(), given));
    words.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-XX:AOTCache=x", "-Xlog:aot=off"));
    words.addAll(given);
    words.add("org.ecstore.Main");
    assertEquals(given, JvmFlags.ofMemory(words));
  }

  @Test
  void aNodesProcessHasALimitOutsideTheHeapToo() {
    List<String> flags = NodeResources.SMALL.flags();
    assertTrue(flags.contains("-XX:MaxDirectMemorySize=256m"), flags::toString);
  }

  private static List<String> own(String capacity, String... given) {
    return NodeFlags.own(
        List.of("-Xmx1g", SHARED), Optional.of(new BigDecimal(capacity)), List.of(given));
  }

  @Test
  void aNodeOfLessThanAProcessorHasTheQuickCompilerAloneAndItCompilesEarly() {
    List<String> machine = List.of("-Xmx1g", SHARED);
    assertEquals(
        List.of("-Xmx1g", QUICK_ALONE.getFirst(), QUICK_ALONE.getLast()), own("0.99", "-Dx=y"));
    assertEquals(machine, own("1.00"));
    assertEquals(machine, NodeFlags.own(machine, Optional.empty(), List.of()));
  }

  @Test
  void whatIsGivenOfCompilersAndOfWhenTheyCompileGoesBefore() {
    for (String given :
        List.of("-XX:CompileThresholdScaling=2", "-XX:Tier3InvocationThreshold=9")) {
      assertEquals(List.of("-Xmx1g", QUICK_ALONE.getFirst()), own("0.3", given));
      assertEquals(List.of("-Xmx1g"), own("1", given));
    }
    assertEquals(List.of("-Xmx1g", SHARED), own("0.3", "-XX:+TieredCompilation"));
  }

  private static List<String> ofServer(Map<String, String> environment, String... arguments) {
    return NodeFlags.ofServer(MACHINE, List.of(arguments), environment);
  }

  @Test
  void aServerGoesByTheCapacityOfItsConfiguration() throws Exception {
    List<String> usual = NodeResources.of(MACHINE, 1).flags();
    List<String> quick = Stream.concat(usual.stream(), QUICK_ALONE.stream()).toList();
    String identity = "node.id = 1\nnode.directory = \"data\"\n";
    String file = Files.writeString(temp.resolve("node.toml"), identity).toString();
    assertEquals(usual, ofServer(Map.of(), "server", "--config", file));
    assertEquals(
        quick, ofServer(Map.of("ECSTORE_NODE_CAPACITY", "0.3"), "server", "--config", file));

    Files.writeString(temp.resolve("node.toml"), identity + "node.capacity = 0.3\n");
    assertEquals(quick, ofServer(Map.of(), "server", "--config", file));
    assertEquals(quick, ofServer(Map.of(), "server", "--config=" + file));
    assertEquals(usual, ofServer(Map.of("ECSTORE_NODE_CAPACITY", "2"), "server", "--config", file));
    for (String given : List.of("-XX:TieredStopAtLevel=4", "-XX:-TieredCompilation")) {
      assertEquals(
          usual, ofServer(Map.of(NodeFlags.OPTIONS, given), "server", "--config", file), given);
    }
    assertEquals(
        usual.stream().filter(flag -> !flag.matches("-Xm.*|.*Direct.*")).count() + 2,
        ofServer(Map.of(NodeFlags.OPTIONS, " -Xmx1g  -Dx=y "), "server", "--config", file).size());
  }

  /** It is the server that says what is wrong, after the start. */
  @Test
  void aServerThatWillRefuseItsConfigurationHasTheFlagsOfTheMachine() throws Exception {
    List<String> usual = NodeResources.of(MACHINE, 1).flags();
    Path wrong = Files.writeString(temp.resolve("wrong.toml"), "node.capacity = 0.3\nwrong = [");
    for (List<String> arguments :
        List.of(
            List.of("server"),
            List.of("server", "--config"),
            List.of("server", "--config", "\0"),
            List.of("server", "--config", temp.toString()),
            List.of("server", "--config", temp.resolve("none.toml").toString()),
            List.of("server", "--config", wrong.toString()))) {
      assertEquals(usual, NodeFlags.ofServer(MACHINE, arguments, Map.of()), arguments::toString);
    }
  }
}
