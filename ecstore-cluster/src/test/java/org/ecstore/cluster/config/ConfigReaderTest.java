package org.ecstore.cluster.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ecstore.cluster.config.ServerConfig.Coordination;
import org.ecstore.cluster.config.ServerConfig.Ledger;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.id.NodeId;
import org.ecstore.server.secret.SecretSource;
import org.ecstore.txn.qos.control.ControlTiming;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("ecstore.toml");
  }

  private ServerConfig read(String text, Map<String, String> environment) throws IOException {
    Files.writeString(file, text);
    return ConfigReader.read(file, environment);
  }

  private List<String> problems(String text, Map<String, String> environment) {
    return assertThrows(InvalidConfigException.class, () -> read(text, environment))
        .problems()
        .stream()
        .map(problem -> problem.toString().replace(file + ":", "line "))
        .toList();
  }

  private List<String> problems(String text) {
    return problems(text, Map.of());
  }

  @Test
  void twoKeysAreEnoughForOneNodeOnLoopback() throws IOException {
    ServerConfig config = read("node.id = 7\nnode.directory = 'data'\n", Map.of());
    assertEquals(new NodeId(7), config.node());
    assertEquals(directory.resolve("data"), config.directory());
    assertEquals(new ServerConfig.Listen("127.0.0.1", 7420, "127.0.0.1"), config.listen());
    assertEquals(
        new Coordination.Local(directory.resolve("data/coordination")), config.coordination());
    assertEquals(new Ledger.Local(directory.resolve("data/ledger"), 64 << 20), config.ledger());
    assertEquals(Optional.empty(), config.bookie());
    assertEquals(Optional.empty(), config.log().file());
  }

  @Test
  void aNodeSaysWhatKindItIs() throws IOException {
    String text = "node.id = 7\nnode.directory = 'data'\n";
    assertEquals("standard", read(text, Map.of()).nodeClass());
    assertEquals(Optional.empty(), read(text, Map.of()).pricePerHour());
    ServerConfig said = read(text + "node.class = 'large'\nnode.price = 0.250\n", Map.of());
    assertEquals("large", said.nodeClass());
    assertEquals(Optional.of(new BigDecimal("0.25")), said.pricePerHour());
    assertEquals(
        Optional.of(new BigDecimal("100")),
        read(text + "node.price = 100\n", Map.of()).pricePerHour());
    assertEquals(2, problems(text + "node.class = 'a b'\nnode.price = -1\n").size());
  }

  @Test
  void aNodeMayBeHeldToLessThanItsMachine() throws IOException {
    String text = "node.id = 7\nnode.directory = 'data'\n";
    assertEquals(Optional.empty(), read(text, Map.of()).capacity());
    for (String said : List.of("0.2", "0.20", "0.204")) {
      assertEquals(
          Optional.of(new BigDecimal("0.2")),
          read(text + "node.capacity = " + said + "\n", Map.of()).capacity(),
          said);
    }
    assertEquals(
        Optional.of(new BigDecimal("20")),
        read(text + "node.capacity = 20\n", Map.of()).capacity());
    for (String wrong : List.of("0", "0.009", "10000", "'all'")) {
      assertEquals(1, problems(text + "node.capacity = " + wrong + "\n").size(), wrong);
    }
  }

  @Test
  void theControllerLooksAsOftenAsItIsTold() throws IOException {
    String text = "node.id = 7\nnode.directory = 'data'\n";
    ServerConfig.Control usual = read(text, Map.of()).control();
    assertEquals(ServerConfig.Control.DEFAULT, usual);
    assertEquals(
        ControlTiming.DEFAULT,
        new ControlTiming(
            usual.check().toNanos(), usual.window(), usual.provisionWithin().toNanos()));
    ServerConfig.Control said =
        read(
                text
                    + "[qos]\ncheck = '2s'\nwindow = 4\nprovision-within = '1min'\n"
                    + "[provisioner]\ncommand = 'ssh host \"/opt/my nodes\"'\n",
                Map.of())
            .control();
    assertEquals(Duration.ofSeconds(2), said.check());
    assertEquals(4, said.window());
    assertEquals(Duration.ofMinutes(1), said.provisionWithin());
    assertEquals(List.of("ssh", "host", "/opt/my nodes"), said.provisioner().orElseThrow().words());
    for (String wrong :
        List.of(
            "qos.check = '999ms'",
            "qos.check = '61min'",
            "qos.window = 1",
            "qos.window = 1001",
            "qos.provision-within = '9s'",
            "provisioner.command = ''",
            "provisioner.command = '\\u0007'".replace("'", "\""))) {
      assertEquals(1, problems(text + wrong + "\n").size(), wrong);
    }
    assertEquals(
        List.of("line 3: provisioner.command ends within quotes: close them, by \""),
        problems(text + "provisioner.command = 'node \"a'\n"));
  }

  @Test
  void whatAProvisionerIsToldIsNoSlipOfThePen() throws IOException {
    String text = "node.id = 7\nnode.directory = 'data'\n";
    Map<String, String> told =
        Map.of("ECSTORE_NODE", "4", "ECSTORE_ACTION", "1", "ECSTORE_CLUSTER", "shop");
    assertEquals(new NodeId(7), read(text, told).node());
  }

  @Test
  void nodeOfAClusterHostsServersOfZooKeeperAndABookie() throws IOException {
    ServerConfig config =
        read(
            """
            coordination = "zookeeper"
            [cluster]
            secret-file = "../cluster.secret"
            [node]
            id = 2
            directory = "/data/2"
            [zookeeper]
            embedded = true
            session-timeout = "1500ms"
            servers = ["1@a:1:2;3", "2@b:4:5;6"]
            [ledger]
            kind = "bookkeeper"
            ensemble = 2
            write-quorum = 2
            segment-size = "8MiB"
            [bookie]
            enabled = true
            port = 3200
            """,
            Map.of());
    assertEquals(
        Optional.of(new SecretSource.File(directory.resolve("../cluster.secret").normalize())),
        config.secret());
    Coordination.ZooKeeper zooKeeper = (Coordination.ZooKeeper) config.coordination();
    assertEquals("a:3,b:6", zooKeeper.connect());
    assertEquals(Duration.ofMillis(1500), zooKeeper.sessionTimeout());
    ServerConfig.Embedded embedded = zooKeeper.embedded().orElseThrow();
    assertEquals("b", embedded.host());
    assertEquals(6, embedded.port());
    assertEquals(2, embedded.ensemble().size());
    assertEquals(new Ledger.BookKeeper(2, 2, 2, 8 << 20), config.ledger());
    assertEquals(
        Optional.of(new ServerConfig.Bookie(Path.of("/data/2/bookie"), "127.0.0.1", 3200)),
        config.bookie());
  }

  @Test
  void everythingThatIsWrongIsSaidAtOnceWithItsLine() {
    assertEquals(
        List.of(
            "line 1: coordination must be \"local\" or \"zookeeper\", not \"zookeper\"",
            "line 3: cluster.name must be letters, digits, \".\", \"_\" and \"-\", 64 at most,"
                + " not \"a b\"",
            "line 5: there is no key node.idd: did you mean node.id?",
            "line 6: node.directory must be a path, not 7",
            "line 8: ledger.ack-quorum is 9, more than ledger.write-quorum, which is 3",
            "line 9: ledger.segment-size must be a size from 1MiB to 1GiB, as \"64MiB\", not"
                + " \"9 TiB\"",
            "line 11: bookie.enabled must be true or false, not \"yes\"",
            "line 12: there is no table lisen: did you mean listen?",
            "line 14: there is no key quux.port",
            "line  node.id is missing: give a number from 1 to 999999999 here or in"
                + " ECSTORE_NODE_ID"),
        problems(
            """
            coordination = "zookeper"
            [cluster]
            name = "a b"
            [node]
            idd = 3
            directory = 7
            [ledger]
            ack-quorum = 9
            segment-size = "9 TiB"
            [bookie]
            enabled = "yes"
            [lisen]
            [quux]
            port = 7
            """));
  }

  @Test
  void anEngineWithoutAServerTakesNothingOfOne() {
    String none = " is for an engine with a server, and \"je\" has none";
    assertEquals(
        List.of(
            "line 3: engine.url" + none,
            "line 4: engine.user" + none,
            "line 5: engine.password-file" + none,
            "line 5: engine.password-file is given, and engine.password too: give one",
            "line 6: engine.password" + none),
        problems(
            """
            node.id = 1
            node.directory = "data"
            engine.url = "jdbc:mariadb://localhost/ecstore"
            engine.user = "ecstore"
            engine.password-file = "password"
            engine.password = "secret"
            """));
    assertEquals(
        List.of("line 3: engine.url must be a URL, not \"localhost\"", "line 3: engine.url" + none),
        problems("node.id = 1\nnode.directory = 'data'\nengine.url = 'localhost'\n"));
  }

  /** Also where the kind is wrong, so that it is not known what it needs. */
  @Test
  void thePasswordOfAnEnginesServerIsInAFileForItsOwnerOnly() throws IOException {
    String node = "node.id = 1\nnode.directory = 'data'\nengine.password-file = 'password'\n";
    Path password = directory.resolve("password");
    String kinds = String.join(", ", EngineKinds.names());
    List<String> wrong = List.of("line 4: engine.kind must be one of " + kinds + ", not \"mysq\"");
    String missing =
        "line 3: engine.password-file: " + password + " is not there: write the password into it";
    String both = "line 3: engine.password-file is given, and engine.password too: give one";
    assertEquals(
        List.of(missing, both, wrong.getFirst()),
        problems(node + "engine.kind = 'mysq'\nengine.password = 'secret'\n"));

    Files.writeString(password, "secret\n");
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-r--r--"));
    assertEquals(
        List.of(
            "line 3: engine.password-file: others than its owner have access to %1$s: chmod 600 %1$s"
                .formatted(password),
            wrong.getFirst()),
        problems(node + "engine.kind = 'mysq'\n"));
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
    assertEquals(wrong, problems(node + "engine.kind = 'mysq'\n"));
  }

  @Test
  void whatIsSecretInAUrlIsNotShown() {
    String node = "node.id = 1\nnode.directory = 'data'\n";
    String shown = problems(node + "engine.url = 'redis://anna:dragon@db:6379 '\n").getFirst();
    assertEquals("line 3: engine.url must be a URL, not \"redis://anna:***@db:6379 \"", shown);
    for (String given :
        List.of(
            "['redis://:dragon@db']",
            "[['redis://:dragon@db']]",
            "{a = 'redis://:dragon@db'}",
            "\"redis://:dragon\\n\\r@db\"",
            "'redis:/:dragon@db db'")) {
      List<String> found = problems(node + "engine.url = " + given + "\n");
      assertTrue(found.toString().contains("engine.url must be a URL, not "), found::toString);
      assertFalse(found.toString().contains("dragon"), found::toString);
    }
    assertEquals(
        "line 3: engine.url must be a URL, not [redis://:***@db]",
        problems(node + "engine.url = ['redis://:dragon@db']\n").getFirst());
    assertEquals(
        "line 3: engine.url must be a URL, not [a table, [a table]]",
        problems(node + "engine.url = [{a = 'dragon'}, [{b = 'dragon'}]]\n").getFirst());
  }

  /** Before the node starts, with all else that is wrong. */
  @Test
  void aFileThatHasNoPasswordIsSaidWithItsLine() throws IOException {
    String node = "node.id = 1\nnode.directory = 'data'\nengine.password-file = 'password'\n";
    Path password = directory.resolve("password");
    Files.createDirectory(password);
    assertPasswordProblem(node, "is a directory");
    Files.delete(password);
    Files.createFile(password, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    assertPasswordProblem(node, "is empty");
    Files.writeString(password, "x".repeat(5_000));
    assertPasswordProblem(node, "has more than 4096 bytes");
    Files.write(password, new byte[] {(byte) 0xc3, 0x28});
    assertPasswordProblem(node, "is no text in UTF-8");
    Files.writeString(password, "ab\ncd\n");
    assertPasswordProblem(node, "has more than one line");
    Files.writeString(password, "ab\u0000cd\n");
    assertPasswordProblem(node, "or a NUL");
    Files.writeString(password, " ab cd \n");
    assertEquals(1, problems(node + "engine.kind = 'mysq'\n").size(), "there is one");
  }

  /** It gives it once: to the start, which comes later. */
  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  @EnabledOnOs(OS.LINUX)
  void nothingIsTakenOfAPasswordInAPipe() throws Exception {
    String node = "node.id = 1\nnode.directory = 'data'\nengine.password-file = 'password'\n";
    Path password = directory.resolve("password");
    Process made = new ProcessBuilder("mkfifo", "-m", "600", password.toString()).start();
    assertEquals(0, made.waitFor());
    byte[] text = "secret\n".getBytes(StandardCharsets.US_ASCII);
    try (FileChannel pipe =
        FileChannel.open(password, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      pipe.write(ByteBuffer.wrap(text));
      assertEquals(1, problems(node + "engine.kind = 'mysq'\n").size());
      ByteBuffer left = ByteBuffer.allocate(100);
      assertEquals(text.length, pipe.read(left));
    }
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-r--r--"));
    assertPasswordProblem(node, "others than its owner have access");
  }

  /** By one who may read the configuration, and not the password; root reads both. */
  @Test
  void aConfigurationIsReadWithoutItsPassword() throws IOException {
    String node = "node.id = 1\nnode.directory = 'data'\nengine.password-file = 'password'\n";
    Path password = Files.writeString(directory.resolve("password"), "secret\n");
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("-w-------"));
    assertEquals(1, problems(node + "engine.kind = 'mysq'\n").size());
  }

  private void assertPasswordProblem(String text, String expected) {
    List<String> found = problems(text + "engine.kind = 'mysq'\n");
    assertEquals(2, found.size(), found::toString);
    assertTrue(found.getFirst().startsWith("line 3: engine.password-file: "), found::toString);
    assertTrue(found.getFirst().contains(expected), found::toString);
  }

  /** A terminal would do what they say. */
  @Test
  void charactersThatControlATerminalAreNeitherTakenNorPrinted() {
    String node = "node.id = 1\nnode.directory = 'data'\n";
    String level = problems(node, Map.of("ECSTORE_LOG_LEVEL", "r\u001b[31med\u202e")).getFirst();
    assertTrue(level.endsWith(", not \"r\\u001b[31med\\u202e\""), level);
    String key = problems(node + "\"x\\u001b[31my\" = 1\n").getFirst();
    assertEquals("line 3: there is no key x\\u001b[31my", key);
    String user = problems(node + "engine.user = \"a\\u202eb\\u009b31m\"\n").getFirst();
    assertEquals("line 3: engine.user must be a name, not \"a\\u202eb\\u009b31m\"", user);
    for (String each : List.of("\\u202e", "\\u009b", "\\u001b", "\\t")) {
      assertTrue(
          problems(node + "engine.url = \"redis://h" + each + "\"\n")
              .getFirst()
              .startsWith("line 3: engine.url must be a URL"),
          each);
      assertTrue(
          problems(node + "log.file = \"log" + each + "\"\n")
              .getFirst()
              .startsWith("line 3: log.file must be a path"),
          each);
    }
    assertEquals("\"a\\u001b\\\"\\\\\\n\\u202e\"", ConfigText.text("a\u001b\"\\\n\u202e"));
  }

  @Test
  void splitHintsOutOfOrderOrDoubleAreRefused() {
    String node = "node.id = 3\nnode.directory = 'd'\n";
    for (String hints : List.of("['02', '01']", "['01', '02', '02']")) {
      List<String> found = problems(node + "cluster.split-hints = " + hints + "\n");
      assertEquals(1, found.size(), found::toString);
      assertTrue(
          found.getFirst().startsWith("line 3: cluster.split-hints must be in order, each once"),
          found::toString);
    }
    List<String> longer = problems(node + "cluster.split-hints = ['" + "ab".repeat(4097) + "']\n");
    assertTrue(
        longer.getFirst().contains("number 1 is longer than a key may be"), longer::toString);
  }

  @Test
  void addressesOfNoHostAndHostsWithPortsAreRefused() {
    String node = "node.id = 3\nnode.directory = 'd'\n";
    for (String any :
        List.of(
            "0",
            "0x0",
            "0.0",
            "00.0.0.00",
            "::0",
            "::",
            "0::0",
            "0:0:0:0:0:0:0:0",
            "::ffff:0.0.0.0",
            "::FFFF:0:0")) {
      assertEquals(
          List.of(
              "line 3: listen.host "
                  + any
                  + " is no address that others could reach: give one in listen.advertise"),
          problems(node + "listen.host = '" + any + "'\n"));
    }
    assertEquals(
        List.of("line 4: listen.advertise 0 is no address that others could reach"),
        problems(node + "listen.host = 'a'\nlisten.advertise = '0'\n"));
    assertEquals(
        List.of(
            "line 3: listen.host is a host without a port, not 127.0.0.1:7420: the port is"
                + " listen.port"),
        problems(node + "listen.host = '127.0.0.1:7420'\n"));
  }

  @Test
  void anIpv6HostIsInBracketsWhereZooKeeperIsReached() throws IOException {
    String node =
        "node.id = 1\nnode.directory = 'd'\ncoordination = 'zookeeper'\nledger.kind ="
            + " 'bookkeeper'\ncluster.secret-file = 's'\n";
    assertEquals(
        "[fd00::7]:2181,b:6", connect(node + "zookeeper.connect = '[fd00::7]:2181,b:6'\n"));
    String embedded = node + "zookeeper.embedded = true\nlisten.host = '::1'\n";
    assertEquals("[::1]:2181", connect(embedded));
    assertEquals(
        "[::1]:3,b:6", connect(embedded + "zookeeper.servers = ['1@[::1]:1:2;3', '2@b:4:5;6']\n"));
    assertEquals(1, problems(embedded + "zookeeper.servers = ['1@::1:1:2;3']\n").size());
  }

  private String connect(String text) throws IOException {
    return ((Coordination.ZooKeeper) read(text, Map.of()).coordination()).connect();
  }

  @Test
  void twoPartsOfANodeNeedTwoPortsAndTwoDirectories() {
    String node =
        "node.id = 1\nnode.directory = 'd'\ncoordination = 'zookeeper'\nledger.kind ="
            + " 'bookkeeper'\nzookeeper.embedded = true\nbookie.enabled = true\n"
            + "cluster.secret-file = 's'\n";
    assertEquals(
        List.of(
            "line 8: the election port of server 1 in zookeeper.servers is the same as the quorum"
                + " port of server 1 in zookeeper.servers: 2888",
            "line 8: the port of clients of server 1 in zookeeper.servers is the same as"
                + " listen.port: 7420"),
        problems(node + "zookeeper.servers = ['1@127.0.0.1:2888:2888;7420']\n"));
    List<String> same =
        problems(node + "bookie.directory = 'data'\nzookeeper.directory = 'data'\n");
    assertEquals(
        List.of(
            "line 8: bookie.directory is the same directory as zookeeper.directory: "
                + directory.resolve("data")),
        same);
    assertEquals(
        List.of(
            "line 8: bookie.directory is within a directory of zookeeper.directory: "
                + directory.resolve("data/bookie")),
        problems(node + "bookie.directory = 'data/bookie'\nzookeeper.directory = 'data'\n"));
    assertEquals(
        List.of(
            "line 8: zookeeper.directory is the same directory as node.directory: "
                + directory.resolve("d/engine")),
        problems(node + "zookeeper.directory = 'd/engine'\n"));
    assertEquals(
        List.of(
            "line 8: bookie.directory has within it a directory of node.directory: " + directory),
        problems(node + "bookie.directory = '.'\n"));
  }

  @Test
  void aFileThatIsNoConfigurationIsRefusedInOneLineHoweverItWouldBeParsed() {
    String node = "node.id = 1\nnode.directory = 'd'\n";
    List<String> texts =
        List.of(
            node + "x = " + "[".repeat(100_000),
            node + "x = " + "[\n".repeat(50_000),
            node + "x = " + "{a=".repeat(50_000),
            node + "a.".repeat(60_000) + "a = 1\n",
            node + "x = ['#', " + "[".repeat(3_000) + "\n",
            node + "x = [\"\"\"\n# \"\"\", " + "[".repeat(3_000) + "\n",
            node + "x = {a = '''\n#''', " + "a.".repeat(3_000) + "a = 1}\n",
            node + "'#'." + "a.".repeat(3_000) + "a = 1\n",
            node + "x = {b = 1, " + "a.".repeat(20_000) + "a = 1}\n",
            node + "\"=\"." + "a.".repeat(20_000) + "a = 1\n",
            node + "x = [\"\\\"#\", " + "[".repeat(3_000) + "\n",
            node + "# " + "x".repeat(300_000));
    for (String text : texts) {
      List<String> found = problems(text);
      assertEquals(1, found.size(), found::toString);
      assertTrue(found.getFirst().contains("no configuration"), () -> found.getFirst());
    }
  }

  @Test
  void whatIsInCommentsIsNoNesting() throws IOException {
    String node = "node.id = 1\nnode.directory = 'd'\n";
    String comments = "# it's from [1, 2), \"...\" " + ".".repeat(80) + "\n";
    read(node + comments.repeat(100) + "log.files = 3 # [\n", Map.of());
    String hints =
        IntStream.range(0, 80)
            .mapToObj(i -> "'%02x', # from [0, 1)\n".formatted(i))
            .collect(Collectors.joining());
    read(node + "cluster.split-hints = [\n" + hints + "\"ff\"] # [\n", Map.of());
  }

  @Test
  void contradictionsAreFound() {
    String node = "node.id = 3\nnode.directory = 'd'\n";
    assertEquals(
        List.of(
            "line 3: ledger.kind \"bookkeeper\" needs coordination = \"zookeeper\": bookies are"
                + " found there",
            "line 4: bookie.enabled needs coordination = \"zookeeper\"",
            "line 5: bookie.port is the same as listen.port: 7420"),
        problems(node + "ledger.kind = 'bookkeeper'\nbookie.enabled = true\nbookie.port = 7420\n"));
    assertEquals(
        List.of(
            "line 3: coordination \"zookeeper\" needs ledger.kind = \"bookkeeper\": nodes of one"
                + " cluster share a ledger, and a local one is this node's alone",
            "line 3: coordination \"zookeeper\" needs zookeeper.connect, or zookeeper.embedded ="
                + " true"),
        problems(node + "coordination = 'zookeeper'\ncluster.secret-file = 's'\n"));
    assertEquals(
        List.of(
            "line 6: zookeeper.servers: there are two servers 1",
            "line 6: zookeeper.servers: 2@b:4:5;66666: a port is 1 to 65535, not 66666",
            "line 6: zookeeper.servers has no server 3, but zookeeper.embedded is true on this"
                + " node"),
        problems(
            node
                + "coordination = 'zookeeper'\nledger.kind = 'bookkeeper'\n"
                + "zookeeper.embedded = true\n"
                + "zookeeper.servers = ['1@a:1:2;3', '1@b:4:5;6', '2@b:4:5;66666']\n"
                + "cluster.secret-file = 's'\n"));
    assertEquals(
        List.of("line 4: cluster.secret-file is given, and cluster.secret too: give one"),
        problems(
            node
                + "cluster.secret = '0123456789abcdef0123456789abcdef'\n"
                + "cluster.secret-file = 's'\n"));
    assertEquals(
        List.of(
            "line 3: listen.host 0.0.0.0 is no address that others could reach: give one in"
                + " listen.advertise"),
        problems(node + "listen.host = '0.0.0.0'\n"));
    assertEquals(
        List.of("line 4: ledger.ack-quorum is 2, no majority of ledger.write-quorum, which is 4"),
        problems(node + "ledger.ensemble = 5\nledger.write-quorum = 4\n"));
  }

  @Test
  void brokenSyntaxIsSaidWithItsLineAndHidesNothingElse() {
    List<String> problems = problems("node.id = 'one'\nnode.directory = \nfoo = 3\n");
    assertTrue(problems.get(0).startsWith("line 1: node.id must be a number"), problems::toString);
    assertTrue(problems.get(1).startsWith("line 2: "), problems::toString);
    assertTrue(
        problems.stream().noneMatch(problem -> problem.contains("missing")), problems::toString);
  }

  @Test
  void fileThatIsNoTextIsRefused() throws IOException {
    Files.write(file, new byte[] {(byte) 0xc3, 0x28, (byte) 0xff});
    InvalidConfigException refused =
        assertThrows(InvalidConfigException.class, () -> ConfigReader.read(file, Map.of()));
    assertTrue(
        refused.problems().getFirst().toString().contains("is not a text file in UTF-8"),
        refused::getMessage);
  }

  @Test
  void environmentComesBeforeTheFile() throws IOException {
    Map<String, String> environment =
        Map.of(
            "ECSTORE_NODE_ID", "8",
            "ECSTORE_COORDINATION", "zookeeper",
            "ECSTORE_CLUSTER_SECRET", "0123456789abcdef0123456789abcdef",
            "ECSTORE_LEDGER_KIND", "bookkeeper",
            "ECSTORE_ZOOKEEPER_EMBEDDED", "true",
            "ECSTORE_ZOOKEEPER_SERVERS", "8@a:1:2;3, 9@b:4:5;6",
            "ECSTORE_ZOOKEEPER_SESSION_TIMEOUT", "3s",
            "ECSTORE_JAVA_OPTS", "-Xmx1g",
            "HOME", "/nowhere");
    ServerConfig config = read("node.id = 3\nnode.directory = 'd'\n", environment);
    assertEquals(new NodeId(8), config.node());
    Coordination.ZooKeeper zooKeeper = (Coordination.ZooKeeper) config.coordination();
    assertEquals("a:3,b:6", zooKeeper.connect());
    assertEquals(Duration.ofSeconds(3), zooKeeper.sessionTimeout());
  }

  @Test
  void nodeThatMayHaveOthersBesideItMustHaveASecret() {
    List<String> problems =
        problems(
            """
            coordination = "zookeeper"
            node.id = 1
            node.directory = "d"
            zookeeper.embedded = true
            ledger.kind = "bookkeeper"
            """);
    assertEquals(1, problems.size(), problems::toString);
    assertTrue(
        problems.getFirst().contains("needs cluster.secret-file, the same on all nodes"),
        problems::toString);
  }

  @Test
  void secretIsNeverShown() throws IOException {
    String secret = "do not show me, whatever comes of it";
    String given = "cluster.secret = '" + secret + "'\nnode.id = 1\nnode.directory = 'd'\n";
    ServerConfig config = read(given, Map.of());
    assertFalse(config.toString().contains(secret), config::toString);
    String effective = ConfigReader.effective(Files.writeString(file, given), Map.of());
    assertFalse(effective.contains(secret), effective);
    assertEquals(
        List.of("line 1: cluster.secret must be text of 32 to 1024 characters, not what is given"),
        problems("cluster.secret = 'too short'\nnode.id = 1\nnode.directory = 'd'\n"));
  }

  @Test
  void errorsOfTheEnvironmentNameTheVariable() {
    assertEquals(
        List.of(
            "environment ECSTORE_LISTEN_PORT: listen.port must be a number from 0 to 65535, not"
                + " \"many\"",
            "environment ECSTORE_NODE_IDD: there is no such variable: did you mean"
                + " ECSTORE_NODE_ID?"),
        problems(
            "node.id = 1\nnode.directory = 'd'\n",
            Map.of("ECSTORE_LISTEN_PORT", "many", "ECSTORE_NODE_IDD", "2")));
  }

  /** What is printed can be read, and comes to the same. */
  @Test
  void effectiveConfigurationIsAConfiguration() throws IOException {
    Map<String, String> environment = Map.of("ECSTORE_STOP_TIMEOUT", "7s");
    ServerConfig config = read("node.id = 1\nnode.directory = 'my \"data\"'\n", environment);
    String effective = ConfigReader.effective(file, environment);
    assertTrue(
        effective.contains("stop.timeout = \"7s\"  # environment ECSTORE_STOP_TIMEOUT\n"),
        effective);
    assertTrue(effective.contains("node.id = 1  # " + file + ":1\n"), effective);
    assertEquals(config, read(effective, Map.of()));
  }

  @Test
  void everyKeyHasItsOwnVariable() {
    List<String> variables = ConfigKeys.ALL.stream().map(ConfigKey::variable).distinct().toList();
    assertEquals(ConfigKeys.ALL.size(), variables.size());
    assertTrue(variables.contains("ECSTORE_LEDGER_ACK_QUORUM"), variables::toString);
  }

  @Test
  void fewWrongLettersAreForgiven() {
    List<String> names = List.of("node.id", "log.level", "ledger.ensemble");
    assertEquals(Optional.of("log.level"), Nearest.to("log.levle", names));
    assertEquals(Optional.of("ledger.ensemble"), Nearest.to("ledger.ensembles", names));
    assertEquals(Optional.empty(), Nearest.to("colour", names));
    assertEquals(1, Nearest.distance("ab", "ba"));
    assertEquals(3, Nearest.distance("", "abc"));
  }
}
