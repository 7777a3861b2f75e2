package org.ecstore.txn.qos.table;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A column of a table's text, and the names under which others write it. */
enum TableColumn {
  CLIENTS(
      "clients",
      "client threads thread clientthreads clientcount numberofclients numberofthreads noofclients"
          + " numclients nclients ofclients"),
  SERVERS(
      "servers",
      "server nodes node servernodes servercount nodecount numberofservers numberofnodes"
          + " noofservers noofnodes numservers numnodes nservers nnodes ofservers ofnodes"),
  MILLIS(
      "ms",
      "millis milliseconds meanms msmean averagems avgms meanmillis meanmilliseconds response"
          + " responsems responsemillis responsetime responsetimems responsetimemillis"
          + " responsetimemilliseconds responsetimeinms meanresponsetime meanresponsetimems"
          + " averageresponsetime averageresponsetimems latency latencyms latencymillis"
          + " latencymilliseconds meanlatency meanlatencyms averagelatency averagelatencyms"
          + " avglatency avglatencyms"),
  MEGABYTES(
      "MB/s",
      "mbsec mbsecond mbpersec mbpersecond megabytess megabytessec megabytessecond"
          + " megabytespersec megabytespersecond throughput throughputmbs throughputmbsec"
          + " throughputmbsecond throughputmbpersec throughputmbpersecond throughputinmbs"),
  MILLIS_SPREAD("ms spread", "spreadms"),
  MEGABYTES_SPREAD("MB/s spread", "spreadmbs"),
  P95("p95 ms", "p95 p95millis p95milliseconds p95latencyms p95responsetimems"),
  P99("p99 ms", "p99 p99millis p99milliseconds p99latencyms p99responsetimems"),
  RUNS("runs", "");

  private static final int LAST_ASCII = 0x7f;
  private static final String MEGABITS = "Mb";

  private static final List<TableColumn> NEEDED = List.of(CLIENTS, SERVERS, MILLIS, MEGABYTES);

  private final String title;

  /** With blanks between. */
  private final String otherNames;

  TableColumn(String title, String otherNames) {
    this.title = title;
    this.otherNames = otherNames;
  }

  /** As it is written. */
  String title() {
    return title;
  }

  /** Without which a text is no table; in the order that a text without titles has. */
  static List<TableColumn> needed() {
    return NEEDED;
  }

  /** For people. */
  static String titles(List<TableColumn> columns) {
    return columns.stream().map(TableColumn::title).collect(Collectors.joining(", "));
  }

  /**
   * Which one a title means: upper case, blanks and marks make no difference. But a letter that is
   * none of a to z may be a unit, and Mb are megabits. Some units are one sign, which stands for
   * several letters.
   */
  static Optional<TableColumn> named(String written) {
    String plain = Normalizer.normalize(written, Normalizer.Form.NFKC);
    String letters = letters(plain);
    return letters.isEmpty() || hasOtherLetters(plain) || plain.contains(MEGABITS)
        ? Optional.empty()
        : Arrays.stream(values())
            .filter(
                column ->
                    letters(column.title).equals(letters)
                        || List.of(column.otherNames.split(" ")).contains(letters))
            .findFirst();
  }

  private static boolean hasOtherLetters(String text) {
    return text.codePoints().anyMatch(sign -> sign > LAST_ASCII && Character.isLetter(sign));
  }

  private static String letters(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }
}
