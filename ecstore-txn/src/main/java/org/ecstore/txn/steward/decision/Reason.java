package org.ecstore.txn.steward.decision;

import java.util.HexFormat;
import org.ecstore.txn.steward.decision.Decision.Cause;

/**
 * Why the map was changed, as its record in the ledger says: {@code size: split range r2: ...}.
 * Where an operator's request with an id was done, the id is in it, {@code operator
 * 00000000075bcd15: ...}: so the next steward knows that the request is done when it is told again.
 *
 * @param adminRequest 0 if there is none
 */
public record Reason(Cause cause, long adminRequest, String text) {
  private static final int DIGITS = 16;
  private static final String SEPARATOR = ": ";

  /** What a record says; of one that says no cause, a range was not where it belongs. */
  public static Reason of(String recorded) {
    for (Cause cause : Cause.values()) {
      String word = cause.word();
      if (recorded.startsWith(word + SEPARATOR)) {
        return new Reason(cause, 0, recorded.substring(word.length() + SEPARATOR.length()));
      }
      int id = word.length() + 1;
      int end = id + DIGITS;
      if (recorded.startsWith(word + " ") && recorded.startsWith(SEPARATOR, end)) {
        return new Reason(
            cause, number(recorded, id, end), recorded.substring(end + SEPARATOR.length()));
      }
    }
    return new Reason(Cause.PLACEMENT, 0, recorded);
  }

  private static long number(String text, int from, int to) {
    boolean isHex = text.substring(from, to).chars().allMatch(HexFormat::isHexDigit);
    return isHex ? HexFormat.fromHexDigitsToLong(text, from, to) : 0;
  }

  @Override
  public String toString() {
    String of = adminRequest == 0 ? "" : " " + HexFormat.of().toHexDigits(adminRequest);
    return cause.word() + of + SEPARATOR + text;
  }
}
