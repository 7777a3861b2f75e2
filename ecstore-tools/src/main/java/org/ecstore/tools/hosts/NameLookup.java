package org.ecstore.tools.hosts;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Finds the addresses of names of hosts. */
@FunctionalInterface
public interface NameLookup {
  /** So many names are looked up at a time. */
  int THREADS = 8;

  /**
   * The addresses of each name, as this machine knows them; none where it does not, or not soon.
   */
  Map<String, Set<String>> addresses(Collection<String> names) throws InterruptedException;

  /**
   * Asks the system, for several names at once: a lookup of a name that is not known may take many
   * seconds, and is not waited for.
   */
  static NameLookup within(Duration time) {
    return names -> {
      List<String> asked = List.copyOf(new TreeSet<>(names));
      List<Callable<Set<String>>> lookups = new ArrayList<>();
      asked.forEach(name -> lookups.add(() -> addresses(name)));
      ExecutorService threads =
          Executors.newFixedThreadPool(THREADS, Thread.ofPlatform().daemon().factory());
      try {
        List<Future<Set<String>>> found =
            threads.invokeAll(lookups, time.toMillis(), TimeUnit.MILLISECONDS);
        Map<String, Set<String>> all = new TreeMap<>();
        for (int i = 0; i < asked.size(); i++) {
          boolean isFound = found.get(i).state() == Future.State.SUCCESS;
          all.put(asked.get(i), isFound ? found.get(i).resultNow() : Set.of());
        }
        return all;
      } finally {
        threads.shutdownNow();
      }
    };
  }

  private static Set<String> addresses(String name) {
    try {
      return Arrays.stream(InetAddress.getAllByName(name))
          .map(InetAddress::getHostAddress)
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (UnknownHostException e) {
      return Set.of();
    }
  }
}
