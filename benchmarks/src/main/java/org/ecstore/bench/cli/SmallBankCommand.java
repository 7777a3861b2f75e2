package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.ecstore.bench.smallbank.BankVerdict;
import org.ecstore.bench.smallbank.Customers;
import org.ecstore.bench.smallbank.SmallBankLoad;
import org.ecstore.bench.store.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore bench smallbank}. */
@Command(
    name = "smallbank",
    description = {
      "Measures a bank, and checks that no money was lost and whether all was serializable.",
      "",
      "Each customer has savings and a checking account. As many transactions each: balance,"
          + " deposit-checking, transact-savings, amalgamate, write-check, which charges a penalty"
          + " for an overdraft. At the end all transactions that were done are put in order by what"
          + " they saw. Groups that no order explains are anomalies: with --isolation serializable"
          + " there must be none, or the exit status is 1; with --isolation snapshot they may come,"
          + " as when a check is cashed without the penalty that a balance read before shows to be"
          + " due. Where it cannot be told whether money was lost, since a commit's"
          + " outcome is unknown and not all transactions are kept to see it from, the exit status is"
          + " 1 too. Of ecStore only: other stores take no such transactions here."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench smallbank --hotspot 10 --isolation snapshot --seconds 30",
      "  ecstore bench smallbank --hotspot 10 --isolation serializable --seconds 30"
    })
final class SmallBankCommand implements Callable<Integer> {
  private static final int SPLITS = 8;
  private static final String HOTSPOT = "hotspot";
  private static final long CUSTOMERS_MAX = 10_000_000;

  @Spec private CommandSpec spec;
  @Mixin private LoadOptions options = new LoadOptions();

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "18000",
      description = "How many customers there are. ${DEFAULT-VALUE}, as in the paper.")
  private long records;

  @Option(
      names = "--distribution",
      paramLabel = "D",
      defaultValue = HOTSPOT,
      description =
          "Of the customers that come: hotspot, where a few of them are 90 %%, or uniform."
              + " ${DEFAULT-VALUE}.")
  private String distribution = "";

  @Option(
      names = "--hotspot",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many customers are the hotspot. ${DEFAULT-VALUE}.")
  private long hotspot;

  @Override
  public Integer call() throws Exception {
    if (records < 2 || records > CUSTOMERS_MAX) {
      throw wrong("--records is from 2 to " + CUSTOMERS_MAX + ", not " + records);
    }
    boolean hot = distribution.equals(HOTSPOT);
    if (!hot && !distribution.equals("uniform")) {
      throw wrong("--distribution is hotspot or uniform, not " + distribution);
    }
    if (hot && (hotspot < 2 || hotspot > records)) {
      throw wrong("--hotspot is from 2 to --records, not " + hotspot);
    }
    Customers customers = new Customers(records, hot ? hotspot : 0);
    return new Loading(options, spec)
        .run(records, customers.splitHints(SPLITS), target -> plan(target, customers));
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  private Loading.Measurement plan(Target target, Customers customers) throws Exception {
    SmallBankLoad load = new SmallBankLoad(target, customers);
    return new Loading.Measurement() {
      @Override
      public void insert(Runnable inserted) {
        load.open(inserted);
      }

      @Override
      public List<Loading.Part> parts() {
        return List.of(new Loading.Part("smallbank", load, how(customers)));
      }

      @Override
      public Loading.Found check(ObjectNode result) {
        BankVerdict verdict = load.verdict();
        json(result.putObject("checked"), verdict);
        boolean good =
            verdict.isMoneyConserved() && (verdict.isSerializable() || !load.mustBeSerializable());
        return new Loading.Found(good, lines(verdict));
      }

      @Override
      public void close() {
        load.close();
      }
    };
  }

  private static Map<String, String> how(Customers customers) {
    return customers.hotspot() > 0
        ? Map.of("distribution", HOTSPOT + " of " + customers.hotspot())
        : Map.of("distribution", "uniform");
  }

  private static void json(ObjectNode json, BankVerdict verdict) {
    json.put("transactions", verdict.transactions()).put("all", verdict.whole());
    if (verdict.isMoneyKnown()) {
      json.put("moneyConserved", verdict.isMoneyConserved());
    } else {
      json.putNull("moneyConserved");
    }
    verdict.expected().ifPresent(money -> json.put("moneyExpected", money));
    json.put("moneyFound", verdict.found()).put("lostUpdates", verdict.lostUpdates());
    json.put("serializable", verdict.isSerializable());
    json.put("anomalies", verdict.anomalies());
    json.put("transactionsInAnomalies", verdict.inAnomalies());
    json.put("missingPenalties", verdict.missingPenalties());
  }

  private static String money(BankVerdict verdict) {
    if (verdict.isMoneyConserved()) {
      return "money: %,d, as deposits and checks say".formatted(verdict.found());
    }
    if (!verdict.isMoneyKnown()) {
      return "WHETHER MONEY IS LOST IS NOT KNOWN: %,d are there, and of a commit it is unknown whether it was done; in a run of fewer transactions others show that"
          .formatted(verdict.found());
    }
    return "MONEY IS LOST: %,d instead of %s, %,d lost updates"
        .formatted(
            verdict.found(),
            verdict.expected().isPresent() ? verdict.expected().getAsLong() : "unknown",
            verdict.lostUpdates());
  }

  private List<String> lines(BankVerdict verdict) {
    List<String> lines = new ArrayList<>();
    lines.add(money(verdict));
    lines.add(
        "%s: %,d anomalies among %,d transactions%s; %,d in them, %,d overdraft penalties missing"
            .formatted(
                options.isolation,
                verdict.anomalies(),
                verdict.transactions(),
                verdict.whole() ? "" : " (the first ones)",
                verdict.inAnomalies(),
                verdict.missingPenalties()));
    return lines;
  }
}
