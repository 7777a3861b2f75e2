package org.ecstore.client.error;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something went wrong that is not a bug of the caller's types: a code, a constant text, and the
 * values that belong to it. Every exception of the library is one; the few that Java's own
 * contracts ask for are in the description of the package {@code org.ecstore.client}.
 */
public class EcStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String TRIES = "tries";

  private final ErrorCode code;
  private final String text;
  private final LinkedHashMap<String, String> details;

  /**
   * @param text what happened, the same each time
   * @param cause what led to it, if something did
   * @param details names and values in turn
   */
  public EcStoreException(
      ErrorCode code, String text, @Nullable Throwable cause, Object... details) {
    super(text, cause);
    this.code = code;
    this.text = text;
    this.details = pairs(details);
  }

  /** The text and the details. */
  @Override
  public final String getMessage() {
    return message(text, details);
  }

  /** What happened, as a value. */
  public final ErrorCode code() {
    return code;
  }

  /** What happened, in words that are the same each time. */
  public final String text() {
    return text;
  }

  /** The values that belong to it, by name. */
  public final Map<String, String> details() {
    return Collections.unmodifiableMap(details);
  }

  /**
   * Notes how often the work was tried that this is the end of; it takes the place of the number of
   * the last try's own tries.
   */
  public final void tries(int times) {
    details.put(TRIES, Integer.toString(times));
  }

  private static LinkedHashMap<String, String> pairs(Object... details) {
    if (details.length % 2 != 0) {
      throw new IllegalArgumentException("details come as names and values in turn");
    }
    LinkedHashMap<String, String> pairs = new LinkedHashMap<>();
    for (int i = 0; i < details.length; i += 2) {
      pairs.put(details[i].toString(), details[i + 1].toString());
    }
    return pairs;
  }

  private static String message(String text, Map<String, String> details) {
    return details.isEmpty() ? text : text + " " + details;
  }
}
