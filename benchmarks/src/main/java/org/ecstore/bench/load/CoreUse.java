package org.ecstore.bench.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Who kept how many processors busy for some time.
 *
 * @param seconds how long that was
 * @param nodes all nodes together, and what they have started
 * @param clients all processes of clients together
 * @param bench this process, which looks on
 * @param others everything else on the machine; empty if it does not say
 */
public record CoreUse(
    double seconds, double nodes, double clients, double bench, OptionalDouble others) {
  private static final double THOUSAND = 1e3;

  /** Of all of some times together; nothing for none. */
  public static CoreUse mean(List<CoreUse> all) {
    double seconds = all.stream().mapToDouble(CoreUse::seconds).sum();
    if (seconds <= 0) {
      return new CoreUse(0, 0, 0, 0, OptionalDouble.empty());
    }
    boolean isWhole = all.stream().allMatch(use -> use.seconds == 0 || use.others.isPresent());
    double others = all.stream().mapToDouble(use -> use.others.orElse(0) * use.seconds).sum();
    return new CoreUse(
        seconds,
        all.stream().mapToDouble(use -> use.nodes * use.seconds).sum() / seconds,
        all.stream().mapToDouble(use -> use.clients * use.seconds).sum() / seconds,
        all.stream().mapToDouble(use -> use.bench * use.seconds).sum() / seconds,
        isWhole ? OptionalDouble.of(others / seconds) : OptionalDouble.empty());
  }

  /** The same of a run whose clients are threads of this process. */
  public CoreUse ofClientsHere() {
    return new CoreUse(seconds, nodes, clients + bench, 0, others);
  }

  /** The share of a machine's processors that nodes and clients kept busy together. */
  public double share(int processors) {
    return (nodes + clients) / processors;
  }

  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("nodes", rounded(nodes)).put("clients", rounded(clients));
    json.put("bench", rounded(bench));
    others.ifPresent(cores -> json.put("others", rounded(cores)));
    return json;
  }

  private static double rounded(double cores) {
    return Math.round(cores * THOUSAND) / THOUSAND;
  }
}
