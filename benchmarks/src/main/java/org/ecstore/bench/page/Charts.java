package org.ecstore.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** The drawings of one subject: a row or a line for each store. */
final class Charts {
  private static final int WIDTH = 560;
  private static final int NAMES = 150;
  private static final int BARS_END = 430;
  private static final int ROW = 30;
  private static final int BAR = 16;
  private static final double MICRO = 1e3;

  /** Leaves room for two figures after the longest bar. */
  private static final double TWO_FIGURES = 1.12;

  /** Operations a thousand of which take a second each spend a millisecond. */
  private static final double MICROS_PER_1000 = 1e3;

  private static final List<String> PERCENTILES = List.of("p50", "p95", "p99", "p99.9");
  private static final int PLOT_HEIGHT = 250;
  private static final int PLOT_LEFT = 62;
  private static final int PLOT_TOP = 14;
  private static final int PLOT_BOTTOM = 34;
  private static final int STEPS = 160;
  private static final double NINES_MAX = 5;

  private final List<String> stores;

  /** For stores that have their colours by their place in a list. */
  Charts(List<String> stores) {
    this.stores = List.copyOf(stores);
  }

  /** The class of a store's colour. */
  String colour(String store) {
    return "s" + Math.min(7, stores.indexOf(store));
  }

  private void name(Svg svg, String store, double middle) {
    List<String> parts = List.of(store.split(", ", 2));
    if (parts.size() == 1) {
      svg.text(NAMES - 10, middle + 4.5, "name", store);
    } else {
      svg.text(NAMES - 10, middle - 1, "name", parts.get(0));
      svg.text(NAMES - 10, middle + 11, "name small", parts.get(1));
    }
  }

  private static double row(int index) {
    return index * ROW + ROW / 2.0;
  }

  /** Operations per second; a whisker from the least to the most of several rounds. */
  String throughput(List<Summary> all) {
    Svg svg = new Svg(WIDTH, all.size() * ROW, "operations per second by store");
    double most = Math.max(1e-9, most(all, each -> each.most(Summary.THROUGHPUT)));
    for (int i = 0; i < all.size(); i++) {
      Summary each = all.get(i);
      double value = each.value(Summary.THROUGHPUT);
      double middle = row(i);
      name(svg, each.store(), middle);
      String hint = "%s: %,.0f operations per second".formatted(each.store(), value);
      svg.bar(
          NAMES, middle - BAR / 2.0, length(value, most), BAR, "bar " + colour(each.store()), hint);
      double end = NAMES + length(value, most);
      if (each.rounds().size() > 1) {
        double least = NAMES + length(each.least(Summary.THROUGHPUT), most);
        end = NAMES + length(each.most(Summary.THROUGHPUT), most);
        svg.line(least, middle, end, middle, "whisker");
        svg.line(least, middle - 4, least, middle + 4, "whisker");
        svg.line(end, middle - 4, end, middle + 4, "whisker");
      }
      svg.text(end + 8, middle + 4.5, "value", count(value) + " /s");
    }
    return svg.end();
  }

  private static double length(double value, double most) {
    return value / most * (BARS_END - NAMES);
  }

  private static double most(List<Summary> all, ToDoubleFunction<Summary> value) {
    return all.stream().mapToDouble(value).max().orElse(0);
  }

  /** A count for people. */
  static String count(double value) {
    return value < 100 ? Scale.digits(value) : "%,.0f".formatted(value);
  }

  /** Processor time of an operation: the servers', and the clients' behind it. */
  String processors(List<Summary> all) {
    Svg svg = new Svg(WIDTH, all.size() * ROW, "processor time per operation by store");
    double most =
        Math.max(
            1e-9,
            TWO_FIGURES
                * most(all, each -> each.value(Summary.SERVERS) + each.value(Summary.CLIENTS)));
    for (int i = 0; i < all.size(); i++) {
      Summary each = all.get(i);
      double middle = row(i);
      double servers = each.value(Summary.SERVERS);
      double clients = each.value(Summary.CLIENTS);
      String said = Scale.time(servers * MICROS_PER_1000);
      String saidOfClients = Scale.time(clients * MICROS_PER_1000);
      name(svg, each.store(), middle);
      if (each.median(Summary.SERVERS).isPresent()) {
        svg.bar(
            NAMES,
            middle - BAR / 2.0,
            length(servers, most),
            BAR,
            "bar " + colour(each.store()),
            each.store() + ", servers: " + said);
      }
      double behind = NAMES + length(servers, most) + 1.5;
      svg.bar(
          behind,
          middle - BAR / 2.0,
          length(clients, most),
          BAR,
          "bar light " + colour(each.store()),
          each.store() + ", clients: " + saidOfClients);
      svg.text(
          behind + length(clients, most) + 8,
          middle + 4.5,
          "value",
          each.median(Summary.SERVERS).isPresent()
              ? said + " + " + saidOfClients
              : "? + " + saidOfClients);
    }
    return svg.end();
  }

  /** Percentiles of latency, on one logarithmic axis. */
  String percentiles(List<Summary> all) {
    List<Double> values =
        all.stream()
            .flatMap(each -> PERCENTILES.stream().map(p -> each.value("/latencyMicros/" + p)))
            .filter(value -> value > 0)
            .sorted()
            .toList();
    int height = all.size() * ROW + 26;
    Svg svg = new Svg(WIDTH, height, "percentiles of latency by store");
    if (values.isEmpty()) {
      return svg.end();
    }
    Scale scale = Scale.over(values.getFirst(), values.getLast());
    for (double tick : scale.ticks()) {
      double x = NAMES + scale.at(tick) * (BARS_END - NAMES);
      svg.line(x, 0, x, height - 20, "grid");
      svg.text(x, height - 5, "tick", Scale.time(tick));
    }
    for (int i = 0; i < all.size(); i++) {
      Summary each = all.get(i);
      double middle = row(i);
      name(svg, each.store(), middle);
      List<Double> places = new ArrayList<>();
      for (String percentile : PERCENTILES) {
        double micros = each.value("/latencyMicros/" + percentile);
        places.add(NAMES + scale.at(micros) * (BARS_END - NAMES));
      }
      svg.line(places.getFirst(), middle, places.getLast(), middle, "stem " + colour(each.store()));
      for (int p = 0; p < places.size(); p++) {
        String micros = Scale.time(each.value("/latencyMicros/" + PERCENTILES.get(p)));
        svg.dot(
            places.get(p),
            middle,
            p == 0 ? 6.5 : 5.5 - p * 0.9,
            "dot " + colour(each.store()),
            each.store() + ", " + PERCENTILES.get(p) + ": " + micros);
      }
      svg.text(
          BARS_END + 16,
          middle + 4.5,
          "value",
          Scale.time(each.value("/latencyMicros/p50"))
              + " · "
              + Scale.time(each.value("/latencyMicros/p99")));
    }
    return svg.end();
  }

  /** Whole distributions: latency by percentile, each step of the axis ten times as rare. */
  Optional<String> distributions(List<Summary> all) {
    List<Line> lines = new ArrayList<>();
    for (Summary each : all) {
      each.histogram().ifPresent(histogram -> lines.add(new Line(each.store(), histogram)));
    }
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    double nines = lines.stream().mapToDouble(line -> line.nines).max().orElse(1);
    Scale scale =
        Scale.over(
            lines.stream().mapToDouble(line -> line.micros[0]).min().orElse(1),
            lines.stream().mapToDouble(line -> line.micros[STEPS]).max().orElse(1));
    Svg svg = new Svg(WIDTH, PLOT_HEIGHT, "distribution of latency by store");
    axes(svg, scale, nines);
    for (Line line : lines) {
      double[] xs = new double[STEPS + 1];
      double[] ys = new double[STEPS + 1];
      for (int i = 0; i <= STEPS; i++) {
        xs[i] = x(line.nines * i / STEPS, nines);
        ys[i] = y(scale.at(line.micros[i]));
      }
      svg.path(xs, ys, "curve " + colour(line.store));
    }
    return Optional.of(svg.end());
  }

  /** A store's latency at evenly many nines of percentiles, from none to its last. */
  private static final class Line {
    final String store;
    final double nines;
    final double[] micros = new double[STEPS + 1];

    Line(String store, Histogram nanos) {
      this.store = store;
      this.nines = Math.clamp(Math.log10((double) nanos.getTotalCount()), 1, NINES_MAX);
      for (int i = 0; i <= STEPS; i++) {
        double percentile = 100 - 100 * Math.pow(10, -nines * i / STEPS);
        micros[i] = nanos.getValueAtPercentile(percentile) / MICRO;
      }
    }
  }

  private static double x(double nines, double most) {
    return PLOT_LEFT + nines / most * (WIDTH - PLOT_LEFT - 14);
  }

  private static double y(double share) {
    return PLOT_HEIGHT - PLOT_BOTTOM - share * (PLOT_HEIGHT - PLOT_BOTTOM - PLOT_TOP);
  }

  private static void axes(Svg svg, Scale scale, double most) {
    for (double tick : scale.ticks()) {
      double y = y(scale.at(tick));
      svg.line(PLOT_LEFT, y, WIDTH - 14, y, "grid");
      svg.text(PLOT_LEFT - 8, y + 4, "tick end", Scale.time(tick));
    }
    String[] names = {"0 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %"};
    for (int nine = 0; nine < names.length && nine <= most + 1e-9; nine++) {
      svg.line(x(nine, most), PLOT_TOP, x(nine, most), PLOT_HEIGHT - PLOT_BOTTOM, "grid");
      svg.text(x(nine, most), PLOT_HEIGHT - PLOT_BOTTOM + 18, "tick", names[nine]);
    }
  }
}
