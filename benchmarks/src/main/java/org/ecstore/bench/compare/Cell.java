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
 */
public record Cell(String command, String workload, int clients) {
  private static final String YCSB = "ycsb";
  private static final String SOCIAL = "social";
  private static final String PHOTOS = "photos";
  private static final int CLIENTS_MAX = 10_000;

  /**
   * What a user wrote: {@code WORKLOAD}, {@code COMMAND:WORKLOAD}, and perhaps {@code @CLIENTS}
   * after it. Without a command it is YCSB's, or else photos' or friends'.
   *
   * @param clients if it does not say how many
   * @throws IllegalArgumentException if there is no such workload
   */
  public static Cell of(String written, int clients) {
    String[] parts = written.split("@", -1);
    if (parts.length > 2 || (parts.length == 2 && !isCount(parts[1]))) {
      throw new IllegalArgumentException(
          written + ": after @ is how many clients, from 1 to " + CLIENTS_MAX);
    }
    int count = parts.length == 2 ? Integer.parseInt(parts[1]) : clients;
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
    return new Cell(command, workload, count);
  }

  private static String commandOf(String workload) {
    return YcsbWorkload.of(workload).isPresent()
        ? YCSB
        : PhotoScan.of(workload).isPresent() ? PHOTOS : SOCIAL;
  }

  private static boolean isCount(String text) {
    return text.matches("[1-9][0-9]{0,4}") && Integer.parseInt(text) <= CLIENTS_MAX;
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
        + (clients == 1 ? " client" : " clients");
  }
}
