package org.ecstore.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;

/** Sessions on more and more hosts: latency by hosts, a line for each number of records. */
final class HostSection {
  private static final int WIDTH = 560;
  private static final int HEIGHT = 240;
  private static final int LEFT = 62;
  private static final int RIGHT = 110;
  private static final int TOP = 14;
  private static final int BOTTOM = 34;

  private record At(int hosts, long records, String kind) {}

  private final TreeMap<String, Result> sessions = new TreeMap<>();
  private final TreeSet<Integer> hosts = new TreeSet<>();
  private final TreeSet<Long> records = new TreeSet<>();

  /** Of those results that are of sessions; the last of each. */
  HostSection(List<Result> results) {
    for (Result each : results) {
      if (isSession(each)) {
        int on = each.json().get("hosts").asInt();
        hosts.add(on);
        records.add(each.subject().records());
        sessions.put(key(new At(on, each.subject().records(), each.subject().workload())), each);
      }
    }
  }

  static boolean isSession(Result result) {
    return result.json().path("hosts").isNumber();
  }

  private static String key(At at) {
    return at.hosts() + "/" + at.records() + "/" + at.kind();
  }

  private double number(At at, String where) {
    Result found = sessions.get(key(at));
    return found == null ? Double.NaN : found.number(where).orElse(Double.NaN);
  }

  /** The section, or nothing if there are no sessions. */
  String html() {
    if (sessions.isEmpty()) {
      return "";
    }
    StringBuilder html = new StringBuilder();
    html.append(
        "<section class=\"card\"><header><h2>More hosts</h2><p>Sessions that insert records");
    html.append(" and then read as many. All hosts are processes of one machine, and share its ");
    html.append("processors with the clients.</p></header><div class=\"panels\">");
    for (String kind : List.of("read", "insert")) {
      html.append("<figure><figcaption>Average latency, ").append(kind).append("s");
      html.append(", by hosts</figcaption>").append(lines(kind)).append("</figure>");
    }
    html.append("</div>").append(table()).append("</section>");
    return html.toString();
  }

  private String lines(String kind) {
    List<Double> values = new ArrayList<>();
    for (int on : hosts) {
      for (long count : records) {
        double value = number(new At(on, count, kind), "/latencyMicros/mean");
        if (!Double.isNaN(value)) {
          values.add(value);
        }
      }
    }
    Svg svg = new Svg(WIDTH, HEIGHT, "average latency of " + kind + "s by hosts");
    if (values.isEmpty()) {
      return svg.end();
    }
    values.sort(null);
    Scale scale = Scale.over(values.getFirst(), values.getLast());
    for (double tick : scale.ticks()) {
      svg.line(LEFT, y(scale.at(tick)), WIDTH - RIGHT, y(scale.at(tick)), "grid");
      svg.text(LEFT - 8, y(scale.at(tick)) + 4, "tick end", Scale.time(tick));
    }
    List<Integer> across = List.copyOf(hosts);
    for (int i = 0; i < across.size(); i++) {
      svg.text(x(i), HEIGHT - BOTTOM + 18, "tick", on(across.get(i)));
    }
    int colour = 0;
    for (long count : records) {
      line(svg, scale, kind, count, "s" + Math.min(7, colour++));
    }
    return svg.end();
  }

  private static String on(int hosts) {
    return hosts == 1 ? "1 host" : hosts + " hosts";
  }

  private void line(Svg svg, Scale scale, String kind, long count, String colour) {
    List<Double> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    List<Integer> across = List.copyOf(hosts);
    for (int i = 0; i < across.size(); i++) {
      double micros = number(new At(across.get(i), count, kind), "/latencyMicros/mean");
      if (!Double.isNaN(micros)) {
        xs.add(x(i));
        ys.add(y(scale.at(micros)));
        svg.dot(x(i), y(scale.at(micros)), 4, "dot " + colour, Scale.time(micros));
      }
    }
    if (!xs.isEmpty()) {
      double[] x = xs.stream().mapToDouble(Double::doubleValue).toArray();
      double[] y = ys.stream().mapToDouble(Double::doubleValue).toArray();
      svg.path(x, y, "curve " + colour);
      svg.text(xs.getLast() + 10, ys.getLast() + 4, "label " + colour, "%,d".formatted(count));
    }
  }

  private double x(int index) {
    return LEFT + 16 + index * (WIDTH - LEFT - RIGHT - 32.0) / Math.max(1, hosts.size() - 1);
  }

  private static double y(double share) {
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
  }

  private String table() {
    StringBuilder html =
        new StringBuilder("<div class=\"scroll\"><table><thead><tr><th>hosts</th>");
    for (long count : records) {
      html.append("<th colspan=\"2\">%,d records</th>".formatted(count));
    }
    html.append("</tr><tr><th></th>").append("<th>read</th><th>insert</th>".repeat(records.size()));
    html.append("</tr></thead><tbody>");
    for (int on : hosts) {
      html.append("<tr><th>").append(on).append("</th>");
      for (long count : records) {
        for (String kind : List.of("read", "insert")) {
          double latency = number(new At(on, count, kind), "/latencyMicros/mean");
          double elapsed = number(new At(on, count, kind), "/seconds");
          html.append("<td>");
          if (!Double.isNaN(latency)) {
            html.append(
                String.format(
                    Locale.ROOT,
                    "%.4f <span class=\"quiet\">%.1f s</span>",
                    latency / 1e6,
                    elapsed));
          }
          html.append("</td>");
        }
      }
      html.append("</tr>");
    }
    html.append(
        "</tbody></table></div><p class=\"quiet\">Average latency in seconds, and how long");
    return html.append(" the session took.</p>").toString();
  }
}
