package org.ecstore.tools.torture;

/**
 * What came of requests of one kind.
 *
 * @param asked all of them
 * @param refused with a reason
 * @param putOff because a node went, or the ranges changed meanwhile
 * @param unheard no steward answered, or another took over that knows nothing of it
 */
public record RequestCount(long asked, long done, long refused, long putOff, long unheard) {
  static final RequestCount NONE = new RequestCount(0, 0, 0, 0, 0);

  RequestCount withAsked() {
    return new RequestCount(asked + 1, done, refused, putOff, unheard);
  }

  RequestCount with(Operator.End end) {
    return switch (end) {
      case DONE -> new RequestCount(asked, done + 1, refused, putOff, unheard);
      case REFUSED -> new RequestCount(asked, done, refused + 1, putOff, unheard);
      case PUT_OFF -> new RequestCount(asked, done, refused, putOff + 1, unheard);
      case UNHEARD -> new RequestCount(asked, done, refused, putOff, unheard + 1);
    };
  }

  /** Those of which the end was not seen. */
  public long open() {
    return asked - done - refused - putOff - unheard;
  }
}
