package org.ecstore.core.overlay;

/** Left is towards lesser keys, right towards greater ones. */
public enum Side {
  LEFT,
  RIGHT;

  /** The other side. */
  public Side opposite() {
    return this == LEFT ? RIGHT : LEFT;
  }
}
