package org.ecstore.bench.hosts;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.Margin;
import org.ecstore.bench.figure.Repeated;

/** What the paper says of its table, and what one that was measured says of that. */
public final class HostClaims {
  private static final double MILLI = 1e3;

  /** The paper has an eighth: 25 times as long for 200 times the records. */
  private static final double PART = 0.25;

  private final HostTable table;

  private HostClaims(HostTable table) {
    this.table = table;
  }

  /** The claims on which a table can say something: some need several hosts or sessions. */
  public static List<Claim> of(HostTable table) {
    HostClaims claims = new HostClaims(table);
    List<Claim> all = new ArrayList<>();
    if (table.hosts().size() >= 2) {
      all.add(claims.moreHosts());
    }
    if (table.hosts().size() >= 3) {
      all.add(claims.diminishing());
    }
    if (table.records().size() >= 2) {
      all.add(claims.elapsed());
    }
    return all;
  }

  private long most() {
    return table.records().getLast();
  }

  private Repeated latency(int hosts) {
    return table.repeated(hosts, most(), SessionLoad.Kind.INSERT, HostTable.Cell::latencySeconds);
  }

  private List<Repeated> latencies() {
    return table.hosts().stream().map(this::latency).toList();
  }

  /** Of a point, its median for people. */
  private String medians() {
    return table.hosts().stream()
        .map(
            hosts ->
                String.format(Locale.ROOT, "%d: %.2f ms", hosts, MILLI * latency(hosts).median()))
        .reduce((one, other) -> one + ", " + other)
        .orElse("");
  }

  private Claim moreHosts() {
    List<Repeated> all = latencies();
    Repeated best =
        all.subList(1, all.size()).stream()
            .reduce((one, other) -> one.with(other, Math::min))
            .orElseThrow();
    return Claim.of(
        "More hosts reduce the latency of inserts.",
        "inserts of %,d records by hosts: %s".formatted(most(), medians()),
        List.of(Margin.above("the best of more hosts", all.getFirst(), best)));
  }

  private Claim diminishing() {
    List<Repeated> all = latencies();
    List<Repeated> gains =
        IntStream.range(1, all.size())
            .mapToObj(i -> all.get(i - 1).with(all.get(i), (before, after) -> before - after))
            .toList();
    Repeated last = gains.getLast();
    Repeated best =
        gains.subList(0, gains.size() - 1).stream()
            .reduce((one, other) -> one.with(other, Math::max))
            .orElseThrow();
    Repeated less =
        best.with(last, (one, other) -> one - other).with(all.getFirst(), (by, of) -> by / of);
    return Claim.of(
        "The gain of more hosts diminishes.",
        "inserts of %,d records by hosts: %s".formatted(most(), medians()),
        List.of(new Margin("the last step against the best one before", less)));
  }

  private Claim elapsed() {
    long least = table.records().getFirst();
    double records = (double) most() / least;
    List<Margin> margins = new ArrayList<>();
    List<Double> found = new ArrayList<>();
    for (int hosts : table.hosts()) {
      Repeated growth = elapsed(hosts, most()).with(elapsed(hosts, least), (a, b) -> a / b);
      found.add(growth.median());
      margins.add(Margin.above(hosts + " hosts", growth.map(_ -> PART * records), growth));
    }
    return Claim.of(
        "Elapsed time grows much less than the records do, 25 times for 200 times as many.",
        String.format(
            Locale.ROOT,
            "%.1f to %.1f times as long for %.0f times the records",
            Collections.min(found),
            Collections.max(found),
            records),
        margins);
  }

  private Repeated elapsed(int hosts, long session) {
    return table.repeated(hosts, session, SessionLoad.Kind.INSERT, HostTable.Cell::elapsedSeconds);
  }
}
