package org.ecstore.server.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.server.print.Columns;
import org.ecstore.server.process.ProcessCluster;
import org.ecstore.server.shell.KeyWord;
import org.ecstore.txn.balance.Amounts;
import org.ecstore.wire.client.ClientReply.Balance;
import org.ecstore.wire.client.ClientReply.BalanceShare;
import org.ecstore.wire.client.ClientReply.Decided;
import org.ecstore.wire.client.ClientReply.DecisionLine;
import org.ecstore.wire.client.ClientRequest;
import org.ecstore.wire.client.ClusterWish;

/** What the commands for the steward have in common: asks it, shows how it goes, says the end. */
final class StewardCommands {
  private static final long LOOK_MILLIS = 500;

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

  /** A key as the shell takes it. */
  static Bytes key(String text) {
    try {
      return KeyWord.of(text);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()));
    }
  }

  /** Says the wish and waits until it is done; bad input if it is refused or put off. */
  void wish(ClusterWish wish) throws IOException, InterruptedException {
    Decided first = cluster.askSteward(new ClientRequest.Operate(wish));
    DecisionLine line = first.decisions().getFirst();
    long deadline = System.nanoTime() + withinNanos;
    String told = "";
    while (!line.isOver()) {
      Optional<String> busy = underWay(first);
      String now = line.what() + ": under way" + busy.map(what -> " (" + what + ")").orElse("");
      if (!now.equals(told)) {
        say.accept(now);
        told = now;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new BadInputException(
            line.what() + " is not done yet; it goes on, see cluster decisions");
      }
      Thread.sleep(LOOK_MILLIS);
      Decided again = cluster.askSteward(new ClientRequest.AskDecisions(Optional.empty()));
      long number = line.number();
      Optional<DecisionLine> same =
          again.decisions().stream().filter(one -> one.number() == number).findFirst();
      if (!again.steward().equals(first.steward()) || same.isEmpty()) {
        throw new BadInputException(
            "another node is steward now, "
                + again.steward()
                + ", and knows nothing of the wish: it may be done, in part or not at all, and"
                + " a node that had begun to leave goes on; see cluster status");
      }
      first = again;
      line = same.get();
    }
    if (!line.outcome().equals(DecisionLine.DONE)) {
      throw new BadInputException(line.what() + ", " + line.outcome() + ": " + line.detail());
    }
    say.accept(line.what() + ": done, map " + line.map() + " (" + line.detail() + ")");
    if (wish instanceof ClusterWish.Drain(var node)) {
      int number = Math.toIntExact(node.value());
      cluster.drained(number);
      say.accept(
          ("node %d has nothing any more: \"cluster up\" leaves it out. If its process runs, end it by"
                  + " \"cluster kill %d\"; \"cluster start %d\" then lets it join anew")
              .formatted(number, number, number));
    }
  }

  /** What the steward is at, if that is something else. */
  private static Optional<String> underWay(Decided decided) {
    return decided.decisions().stream()
        .filter(one -> !one.isOver() && !one.cause().equals("operator"))
        .map(DecisionLine::what)
        .findFirst();
  }

  /** Lists decisions. */
  void decisions(Optional<RangeId> range) throws IOException {
    Decided decided = cluster.askSteward(new ClientRequest.AskDecisions(range));
    if (decided.decisions().isEmpty()) {
      say.accept("the steward, " + decided.steward() + ", has decided nothing about that");
      return;
    }
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"ago", "map", "wish of", "ranges", "what", "outcome"});
    for (DecisionLine line : decided.decisions()) {
      String why = line.why().isEmpty() ? "" : " (" + line.why() + ")";
      String detail = line.detail().isEmpty() ? "" : ": " + line.detail();
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
              ? "nothing is to be gained by moving anything"
              : "nothing is to be done by what is known so far");
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
