package org.ecstore.tools.cli.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.protocol.ClientReply.Balance;
import org.ecstore.protocol.ClientReply.BalanceShare;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.print.Columns;
import org.ecstore.tools.shell.KeyWord;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.balance.Amounts;

/** What the commands for the steward have in common: asks it, shows how it goes, says the end. */
final class StewardCommands {
  private static final double MILLIS = 1e3;

  private final ProcessCluster cluster;
  private final Consumer<String> say;
  private final long withinNanos;

  StewardCommands(ProcessCluster cluster, Consumer<String> say, int waitSeconds) {
    this.cluster = cluster;
    this.say = say;
    this.withinNanos = waitSeconds * 1_000_000_000L;
  }

  /** {@code r7} or {@code 7}. */
  static RangeId range(String text) {
    return new RangeId(number(text, 'r', "a range", "r7"));
  }

  /** {@code n3} or {@code 3}. */
  static NodeId node(String text) {
    return new NodeId(number(text, 'n', "a node", "n3"));
  }

  private static long number(String text, char letter, String what, String example) {
    String digits = text.startsWith(String.valueOf(letter)) ? text.substring(1) : text;
    try {
      long number = Long.parseLong(digits);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new BadInputException(noNumber(text, what, example));
    }
    throw new BadInputException(noNumber(text, what, example));
  }

  private static String noNumber(String text, String what, String example) {
    return text + " is not " + what + ": give it as " + example + ", see cluster status";
  }

  /** A key as the shell takes it, given to an option. */
  static Bytes key(String option, String text) {
    String way = "give it as in the shell: \"(users, m)\", text, or \"x'0aff'\"";
    if (text.isBlank()) {
      throw new BadInputException(
          "%s \"%s\" is no key; %s. Empty text is '(\"\")'".formatted(option, text, way));
    }
    Bytes key;
    try {
      key = KeyWord.of(text);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("%s: %s; %s".formatted(option, e.getMessage(), way));
    }
    if (key.length() == 0) {
      throw new BadInputException(
          "%s %s is the beginning of all keys, before any that can be stored; %s"
              .formatted(option, text, way));
    }
    return key;
  }

  /** Says the request and waits until it is done; bad input if it is refused or put off. */
  void adminRequest(AdminRequest adminRequest) throws IOException, InterruptedException {
    if (adminRequest instanceof AdminRequest.Drain(var node)
        && !cluster.nodes().contains(number(node))) {
      throw new BadInputException("there is no node " + node.value() + " in this cluster");
    }
    AdminCall.Outcome outcome = AdminCall.told(cluster::askSteward, say, adminRequest, withinNanos);
    DecisionLine line = outcome.line();
    boolean done = line.isDone();
    if (!done && !(adminRequest instanceof AdminRequest.Drain(var node) && isGone(number(node)))) {
      throw new BadInputException(failed(outcome));
    }
    if (done) {
      say.accept(done(line));
    }
    if (adminRequest instanceof AdminRequest.Drain(var node)) {
      cluster.drained(number(node));
    }
  }

  /** What has come of a request that is done. */
  static String done(DecisionLine line) {
    // A former steward did it: then all there is to it is what the map says of the change.
    String came = line.detail().isEmpty() ? line.what() : line.detail();
    return "done at map " + line.map() + ": " + came;
  }

  private static int number(NodeId node) {
    return (int) Math.min(node.value(), Integer.MAX_VALUE);
  }

  static String failed(AdminCall.Outcome outcome) {
    return outcome.line().words()
        + outcome
            .earlier()
            .map(node -> " (" + node + ", steward before, may have done it: see cluster status)")
            .orElse("");
  }

  /**
   * Whether a node that does not run has no place in the tree and no copy by the map: it has been
   * drained, or reckoned as lost, by an earlier command or steward.
   */
  private boolean isGone(int number) throws IOException {
    NodeId node = new NodeId(number);
    Optional<StatusReport> map = cluster.map(cluster.status());
    return !cluster.isRunning(number)
        && map.isPresent()
        && map.get().ranges().stream().noneMatch(range -> range.primary().equals(node))
        && map.get().holders().stream().noneMatch(range -> range.secondaries().contains(node))
        && cluster.askSteward(new ClientRequest.ExplainBalance(), Balance.class).nodes().stream()
            .noneMatch(share -> share.node().equals(node));
  }

  /** Shows decisions, as JSON or as a list. */
  void decisions(Optional<RangeId> range, boolean json) throws IOException {
    show(cluster.askSteward(new ClientRequest.AskDecisions(range)), json, say);
  }

  /** Shows those of a steward's answer. */
  static void show(Decided decided, boolean json, Consumer<String> say) {
    if (json) {
      say.accept(json(decided).toString());
    } else {
      list(decided, say);
    }
  }

  /** What is not known, or not there, is left out. */
  private static ObjectNode json(Decided decided) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("steward", decided.steward().toString());
    ArrayNode all = json.putArray("decisions");
    decided.decisions().forEach(line -> all.add(json(line)));
    return json;
  }

  private static ObjectNode json(DecisionLine line) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("number", line.number());
    line.agoMillis().ifPresent(millis -> json.put("agoSeconds", millis / MILLIS));
    if (line.map() > 0) {
      json.put("map", line.map());
    }
    json.put("cause", line.cause());
    ArrayNode ranges = json.putArray("ranges");
    line.ranges().forEach(range -> ranges.add(range.toString()));
    json.put("what", line.what()).put("why", line.why());
    json.put("outcome", line.outcome()).put("detail", line.detail());
    return json;
  }

  private static void list(Decided decided, Consumer<String> say) {
    if (decided.decisions().isEmpty()) {
      say.accept("the steward, " + decided.steward() + ", has decided nothing about that");
      return;
    }
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"ago", "map", "request of", "ranges", "what", "outcome"});
    for (DecisionLine line : decided.decisions()) {
      String why = line.why().isEmpty() ? "" : " (" + line.why() + ")";
      String again = line.what() + ": ";
      String news =
          line.detail().startsWith(again) ? line.detail().substring(again.length()) : line.detail();
      String detail = news.isEmpty() ? "" : ": " + news;
      rows.add(
          new String[] {
            line.agoMillis().map(StewardCommands::ago).orElse("earlier"),
            line.map() == 0 ? "-" : String.valueOf(line.map()),
            line.cause(),
            line.ranges().stream().map(String::valueOf).collect(Collectors.joining(" ")),
            line.what() + why,
            line.outcome() + detail
          });
    }
    say.accept("steward: " + decided.steward());
    Columns.align(rows).forEach(say);
  }

  /** Says how what there is is spread, and what would be done about it. */
  void explainBalance() throws IOException {
    Balance balance = cluster.askSteward(new ClientRequest.ExplainBalance(), Balance.class);
    say.accept(
        "steward: %s, %s"
            .formatted(
                balance.steward(),
                balance.automatic()
                    ? "which moves something by itself where one has more than twice as much"
                    : "which waits for \"cluster rebalance\" (balance.automatic is false)"));
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"node", "ranges", "hold", "reads/s", "updates/s"});
    for (BalanceShare share : balance.nodes()) {
      rows.add(
          new String[] {
            share.node().toString(),
            String.valueOf(share.ranges()),
            share.bytes().map(Amounts::bytes).orElse("not known yet"),
            String.valueOf(share.readsPerSecond()),
            String.valueOf(share.updatesPerSecond())
          });
    }
    Columns.align(rows).forEach(say);
    if (balance.steps().isEmpty()) {
      boolean known = balance.nodes().stream().allMatch(share -> share.bytes().isPresent());
      say.accept(
          known
              ? "nothing can be gained by moving anything"
              : "there is nothing to do by what is known so far");
    } else {
      say.accept("rebalance would begin with one of these; what is best after it may be another:");
      balance.steps().forEach(step -> say.accept("  " + step.what() + ": " + step.why()));
    }
  }

  private static String ago(long millis) {
    long seconds = millis / 1000;
    return seconds < 120 ? seconds + " s" : seconds / 60 + " min";
  }
}
