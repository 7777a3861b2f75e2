package org.ecstore.sim.mutant;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads all classes of ecStore anew, one of them with a change. What this package and the JDK offer
 * is shared with the loader's maker; nothing else is, so that a mutant is gone with its loader.
 */
final class MutantLoader extends ClassLoader {
  private static final String OURS = "org.ecstore.";
  private static final String SHARED = MutantLoader.class.getPackageName() + ".";

  private final ClassBytes classes;
  private final String mutated;
  private final byte[] mutant;
  private final Map<String, byte[]> counted;

  /**
   * A loader of one mutant.
   *
   * @throws IllegalArgumentException if the class has no such place
   * @param counted what classes without a change look like, kept for further mutants
   */
  MutantLoader(ClassLoader parent, ClassBytes classes, Mutant mutant, Map<String, byte[]> counted) {
    super("mutant", parent);
    this.classes = classes;
    this.mutated = mutant.type();
    this.mutant = classes.mutated(mutant);
    this.counted = counted;
  }

  /** A place to keep unchanged classes, for any number of threads. */
  static Map<String, byte[]> cache() {
    return new ConcurrentHashMap<>();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      if (!name.startsWith(OURS) || name.startsWith(SHARED)) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = name.equals(mutated) ? mutant : unchanged(name);
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte[] unchanged(String name) throws ClassNotFoundException {
    if (!classes.has(name)) {
      throw new ClassNotFoundException(name);
    }
    return counted.computeIfAbsent(name, classes::counted);
  }

  /** The program of that class, loaded here. */
  MutantProgram program(String type) {
    return ServiceLoader.load(MutantProgram.class, this).stream()
        .filter(provider -> provider.type().getName().equals(type))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no service " + type))
        .get();
  }
}
