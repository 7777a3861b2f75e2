package org.ecstore.bench.micro;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks of this package, each in processes of its own. */
public final class MicroBenchmarks {
  private static final List<Class<?>> ALL =
      List.of(
          KeyEncodingBenchmark.class,
          WireCodecBenchmark.class,
          ValueCodecBenchmark.class,
          VersionLookupBenchmark.class,
          ValidationBenchmark.class,
          RangeMapBenchmark.class,
          HistogramCreditBenchmark.class,
          InstrumentBenchmark.class);

  private final boolean quick;
  private final Runnable steps;

  /** With proper rounds, or just enough of them to see that all works. */
  public MicroBenchmarks(boolean quick, Runnable steps) {
    this.quick = quick;
    this.steps = steps;
  }

  /**
   * What came out.
   *
   * @param name as {@code Validation.validate}
   * @param nanos the mean of a call
   * @param error half of the 99.9 % confidence interval, nanoseconds; absent if one round was run
   */
  public record Measured(
      String name, Map<String, String> parameters, double nanos, Optional<Double> error) {
    /** As {@code open=100}. */
    public String parameterText() {
      return parameters.entrySet().stream()
          .map(entry -> entry.getKey() + "=" + entry.getValue())
          .collect(Collectors.joining(" "));
    }
  }

  /** What there is. */
  public static List<String> names() {
    return ALL.stream().map(MicroBenchmarks::name).toList();
  }

  private static String name(Class<?> benchmark) {
    return benchmark.getSimpleName().replace("Benchmark", "");
  }

  /**
   * Runs those whose name contains one of these, or all.
   *
   * @throws RunnerException if one failed
   */
  public Collection<Measured> run(List<String> names) throws RunnerException {
    List<Measured> measured = new ArrayList<>();
    for (Class<?> one : chosen(names)) {
      for (RunResult result : new Runner(options(one)).run()) {
        measured.add(measured(result));
      }
      steps.run();
    }
    return measured;
  }

  /** How many pieces of work {@link #run} reports. */
  public static int steps(List<String> names) {
    return chosen(names).size();
  }

  private static List<Class<?>> chosen(List<String> names) {
    return ALL.stream()
        .filter(one -> names.isEmpty() || names.stream().anyMatch(name(one)::contains))
        .toList();
  }

  private Options options(Class<?> benchmark) {
    TimeValue round = quick ? TimeValue.milliseconds(20) : TimeValue.seconds(1);
    return new OptionsBuilder()
        .include(benchmark.getName() + "\\.")
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT)
        .jvmArgsAppend("--sun-misc-unsafe-memory-access=allow")
        .forks(quick ? 1 : 2)
        .warmupIterations(quick ? 1 : 3)
        .warmupTime(round)
        .measurementIterations(quick ? 1 : 5)
        .measurementTime(round)
        .build();
  }

  private static Measured measured(RunResult result) {
    Map<String, String> parameters = new TreeMap<>();
    for (String key : result.getParams().getParamsKeys()) {
      parameters.put(key, result.getParams().getParam(key));
    }
    String[] path = result.getParams().getBenchmark().split("\\.", -1);
    return new Measured(
        path[path.length - 2].replace("Benchmark", "") + "." + path[path.length - 1],
        parameters,
        result.getPrimaryResult().getScore(),
        Optional.of(result.getPrimaryResult().getScoreError()).filter(Double::isFinite));
  }
}
