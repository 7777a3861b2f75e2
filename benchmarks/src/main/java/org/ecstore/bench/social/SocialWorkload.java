package org.ecstore.bench.social;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What is done with two users at a time. Paper: ecStore §6. */
public enum SocialWorkload {
  /** Both are read and one field of each is changed, in a transaction: 2 reads, 2 writes. */
  BEFRIEND("befriend"),

  /** The same, with both read at once: one request where the store takes several keys in one. */
  BEFRIEND_TOGETHER("befriend-together"),

  /** Both are read, at one moment: 2 reads. */
  READ_ONLY("read-only"),

  /** One counter that all clients add 1 to, without reading it: 1 write. */
  COUNT("count");

  private final String title;

  SocialWorkload(String title) {
    this.title = title;
  }

  /** As users name it. */
  public String title() {
    return title;
  }

  /** The workload of a name, whatever the case of its letters. */
  public static Optional<SocialWorkload> of(String title) {
    return Arrays.stream(values()).filter(each -> each.title.equalsIgnoreCase(title)).findFirst();
  }

  /** All names. */
  public static List<String> titles() {
    return Arrays.stream(values()).map(SocialWorkload::title).toList();
  }
}
