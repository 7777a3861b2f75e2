package org.ecstore.wire;

/**
 * Keeps libraries away from {@code sun.misc.Unsafe} where Java warns of it, on standard error, the
 * first time that it is used: from 24 on. Who has said anything about it, to the library or to
 * Java, has decided.
 */
public final class UnsafeAccess {
  private static final int WARNS_FROM = 24;

  /** What Java makes of its option {@code --sun-misc-unsafe-memory-access}. */
  private static final String JAVA_OPTION = "sun.misc.unsafe.memory.access";

  private UnsafeAccess() {}

  /**
   * Sets a library's own property for the whole process, unless the application or Java's option
   * says otherwise. Called before the first class of the library is initialized; later it has no
   * effect.
   *
   * @param property that the library reads once
   * @param without what it has to be for the library to do without
   */
  public static void avoid(String property, String without) {
    if (Runtime.version().feature() >= WARNS_FROM
        && System.getProperty(JAVA_OPTION) == null
        && System.getProperty(property) == null) {
      System.setProperty(property, without);
    }
  }
}
