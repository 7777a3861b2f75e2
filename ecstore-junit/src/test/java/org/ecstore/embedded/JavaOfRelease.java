package org.ecstore.embedded;

import java.nio.file.Path;

/** A Java of one feature release on this machine, found as an embedded store finds its own. */
public final class JavaOfRelease {
  private JavaOfRelease() {}

  /** Its {@code java}. */
  public static Path find(int wanted) {
    return NewerJava.find(System.getenv(), release -> release == wanted)
        .orElseThrow(() -> new AssertionError("a Java " + wanted + " is needed: install one"));
  }
}
