package org.ecstore.bench.compare;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.ecstore.bench.photos.PhotoScan;
import org.ecstore.bench.social.SocialWorkload;
import org.ecstore.bench.ycsb.YcsbWorkload;

/**
 * One measurement that each store gets in each round.
 *
 * @param command of {@code ecstore bench} that makes it
 * @param workload as that command names it
 * @param clients how many threads
 * @param rate operations that begin each second; 0 for as many as there can be
 */
public record Cell(String command, String workload, int clients, int rate) {
  private static final int RATE_MAX = 1_000_000;

  private static final String YCSB = "ycsb";
  private static final String SOCIAL = "social";
  private static final String PHOTOS = "photos";
  private static final int CLIENTS_MAX = 10_000;

  /** The same at a fixed rate. */
  public Cell at(int perSecond) {
    return new Cell(command, workload, clients, perSecond);
  }

  /**
   * What a user wrote: {@code WORKLOAD}, {@code COMMAND:WORKLOAD}, and perhaps {@code @CLIENTS}
   * after it, or {@code @CLIENTS/RATE} for a fixed rate. Without a command it is YCSB's, or else
   * photos' or friends'.
   *
   * @param clients if it does not say how many
   * @throws IllegalArgumentException if there is no such workload
   */
  public static Cell of(String written, int clients) {
    String[] parts = written.split("@", -1);
    String[] pace = parts.length == 2 ? parts[1].split("/", -1) : new String[0];
    if (parts.length > 2
        || pace.length > 2
        || (pace.length > 0 && !isCount(pace[0], CLIENTS_MAX))
        || (pace.length == 2 && !isCount(pace[1], RATE_MAX))) {
      throw new IllegalArgumentException(
          written
              + ": after @ is how many clients, from 1 to "
              + CLIENTS_MAX
              + ", and after / how many operations begin each second");
    }
    int count = pace.length > 0 ? Integer.parseInt(pace[0]) : clients;
    int rate = pace.length == 2 ? Integer.parseInt(pace[1]) : 0;
    int colon = parts[0].indexOf(':');
    String workload = parts[0].substring(colon + 1);
    String command =
        colon >= 0 ? parts[0].substring(0, colon).toLowerCase(Locale.ROOT) : commandOf(workload);
    boolean known =
        switch (command) {
          case YCSB -> YcsbWorkload.of(workload).isPresent();
          case SOCIAL -> SocialWorkload.of(workload).isPresent();
          case PHOTOS -> PhotoScan.of(workload).isPresent();
          default -> false;
        };
    if (!known) {
      throw new IllegalArgumentException("no workload " + parts[0] + "; there are " + all());
    }
    return new Cell(command, workload, count, rate);
  }

  private static String commandOf(String workload) {
    return YcsbWorkload.of(workload).isPresent()
        ? YCSB
        : PhotoScan.of(workload).isPresent() ? PHOTOS : SOCIAL;
  }

  private static boolean isCount(String text, int most) {
    return text.matches("[1-9][0-9]{0,6}") && Integer.parseInt(text) <= most;
  }

  private static List<String> all() {
    return Stream.of(
            YcsbWorkload.titles().stream(),
            SocialWorkload.titles().stream()
                .map(title -> commandOf(title).equals(SOCIAL) ? title : SOCIAL + ':' + title),
            PhotoScan.titles().stream())
        .flatMap(titles -> titles)
        .toList();
  }

  /** Whether it runs on YCSB's records; else on its command's own. */
  public boolean isOnYcsbRecords() {
    return !command.equals(PHOTOS);
  }

  /** As people read it. */
  public String title() {
    return (commandOf(workload).equals(command) ? workload : command + ':' + workload)
        + ", "
        + clients
        + (clients == 1 ? " client" : " clients")
        + (rate == 0 ? "" : ", " + rate + " per s");
  }
}
