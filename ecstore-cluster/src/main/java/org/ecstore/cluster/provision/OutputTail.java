package org.ecstore.cluster.provision;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The last bytes of what a program prints. For one thread. */
final class OutputTail {
  private final byte[] kept;
  private long written;

  /**
   * Of nothing yet.
   *
   * @param bytesMax that are kept
   */
  OutputTail(int bytesMax) {
    kept = new byte[bytesMax];
  }

  void add(byte[] bytes, int count) {
    for (int i = Math.max(0, count - kept.length); i < count; i++) {
      kept[(int) ((written + i) % kept.length)] = bytes[i];
    }
    written += count;
  }

  /** Whether something came before what is kept. */
  boolean isCut() {
    return written > kept.length;
  }

  /** Its lines that are not blank; of the first one the beginning may be missing. */
  List<String> lines() {
    int count = (int) Math.min(written, kept.length);
    byte[] ordered = new byte[count];
    for (int i = 0; i < count; i++) {
      ordered[i] = kept[(int) ((written - count + i) % kept.length)];
    }
    return new String(ordered, StandardCharsets.UTF_8)
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .toList();
  }
}
