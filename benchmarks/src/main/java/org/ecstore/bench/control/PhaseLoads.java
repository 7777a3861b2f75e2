package org.ecstore.bench.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import org.ecstore.bench.compare.ClientProcess;
import org.ecstore.bench.load.AnswerLog;
import org.ecstore.bench.qos.MeasuredSubject;

/**
 * The load of a run: {@code bench ycsb} in processes of its own, one for the shop, and one beside
 * it for the reports where they flood.
 */
final class PhaseLoads {
  private static final List<String> FLAGS =
      List.of("-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
  private static final Duration LOADED_WITHIN = Duration.ofHours(1);

  /** Beyond its time: for the start of a process, and for what is due at its end. */
  private static final Duration MORE = Duration.ofMinutes(2);

  /** Of a run that finds out what nodes do at most, so much passes before it counts. */
  private static final double WARM_UP_PART = 0.7;

  private static final double MILLIS = 1e3;

  private final QosRunSettings settings;
  private final ClientProcess shop;
  private final ClientProcess reports;
  private final LongConsumer elapsed;

  /**
   * Of a run.
   *
   * @param directory for what clients print
   * @param elapsed is told in milliseconds how time goes by
   */
  PhaseLoads(QosRunSettings settings, Path directory, LongConsumer elapsed) throws IOException {
    this.settings = settings;
    this.elapsed = elapsed;
    this.shop =
        new ClientProcess(Files.createDirectories(directory.resolve(QosRunSettings.SHOP)), FLAGS);
    this.reports =
        new ClientProcess(
            Files.createDirectories(directory.resolve(QosRunSettings.REPORTS)), FLAGS);
  }

  /** What clients say of a phase, as {@code bench ycsb --json} has it. */
  record Said(ObjectNode shop, Optional<ObjectNode> reports) {}

  /** Loads all records. */
  void load(String addresses) throws IOException, InterruptedException {
    List<String> arguments = common(addresses, 1, 0, 0.1);
    shop.run(arguments, LOADED_WITHIN, elapsed);
  }

  /** What the first nodes do at most, with caches and compilers warm: operations a second. */
  double saturate(String addresses) throws IOException, InterruptedException {
    double seconds = settings.course().saturation().toMillis() / MILLIS;
    List<String> arguments =
        common(
            addresses,
            settings.course().clients(),
            seconds * WARM_UP_PART,
            seconds * (1 - WARM_UP_PART));
    arguments.add("--loaded");
    return one(shop, arguments, settings.course().saturation()).path("throughput").asDouble();
  }

  /** Some seconds of the load under which the cells of a plan's table were measured. */
  ObjectNode window(RunPlan plan, String addresses) throws IOException, InterruptedException {
    MeasuredSubject subject = plan.source().subject();
    List<String> arguments =
        common(addresses, plan.settleClients(), subject.warmUpSeconds(), subject.seconds());
    arguments.add("--loaded");
    return one(shop, arguments, plan.settleWindow());
  }

  /** The load of a phase, from its beginning to its end. */
  Said run(QosPhase phase, String addresses) throws IOException, InterruptedException {
    List<String> arguments = of(QosRunSettings.SHOP, phase, addresses, phase.load().clients());
    if (phase.load() instanceof QosPhase.Rate rate) {
      arguments.addAll(List.of("--rate", Double.toString(rate.perSecond())));
    }
    if (phase.floodClients() == 0) {
      return new Said(one(shop, arguments, phase.lasts()), Optional.empty());
    }
    List<String> flood = of(QosRunSettings.REPORTS, phase, addresses, phase.floodClients());
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<ObjectNode> flooding = threads.submit(() -> one(reports, flood, phase.lasts()));
      try {
        ObjectNode said = one(shop, arguments, phase.lasts());
        return new Said(said, Optional.of(flooding.get()));
      } catch (ExecutionException e) {
        throw new IOException("the reports: " + e.getCause(), e);
      } finally {
        // If one fails the other one is ended.
        threads.shutdownNow();
      }
    }
  }

  private List<String> of(String application, QosPhase phase, String addresses, int clients) {
    double warmUp = phase.warmUpSeconds();
    List<String> arguments = common(addresses, clients, warmUp, phase.seconds() - warmUp);
    arguments.addAll(List.of("--loaded", "--application", application));
    arguments.addAll(List.of("--report-every", settings.promise().check().toMillis() + "ms"));
    if (phase.seconds() <= AnswerLog.SECONDS_MAX) {
      arguments.add("--each-second");
      settings
          .settledSeconds(phase)
          .ifPresent(from -> arguments.addAll(List.of("--settled", Integer.toString(from))));
    }
    return arguments;
  }

  private List<String> common(String addresses, int clients, double warmUp, double seconds) {
    List<String> arguments = new ArrayList<>(List.of("bench", "ycsb", "--connect", addresses));
    arguments.addAll(List.of("--records", Long.toString(settings.store().records())));
    arguments.addAll(List.of("--workload", settings.store().workload().mix().title()));
    arguments.addAll(List.of("--distribution", settings.store().workload().distribution()));
    arguments.addAll(List.of("--clients", Integer.toString(clients)));
    arguments.addAll(
        List.of("--warm-up", Double.toString(warmUp), "--seconds", Double.toString(seconds)));
    arguments.add("--json");
    return arguments;
  }

  private ObjectNode one(ClientProcess client, List<String> arguments, Duration lasts)
      throws IOException, InterruptedException {
    // Time goes by once, whatever else runs beside.
    LongConsumer told = client.equals(shop) ? elapsed : _ -> {};
    return client.one(arguments, lasts.plus(MORE), told);
  }
}
