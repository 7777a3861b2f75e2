package org.ecstore.bench.figure;

/**
 * Something the paper says of a figure, and whether it holds here.
 *
 * @param paper what it says
 * @param found the figures that decide
 * @param why where it does not hold, what the reason is; empty where it holds
 */
public record Claim(String paper, boolean holds, String found, String why) {
  /** A claim; the reason is kept only if it does not hold. */
  public static Claim of(String paper, boolean holds, String found, String whyIfNot) {
    return new Claim(paper, holds, found, holds ? "" : whyIfNot);
  }
}
