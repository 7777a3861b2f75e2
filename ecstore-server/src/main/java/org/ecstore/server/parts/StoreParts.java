package org.ecstore.server.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The parts of a store that one process opens, held against one another before any is used: what
 * was restored by itself, or is another store's, is refused.
 *
 * <p>Each part has a {@link PartMark}, written at each start after all were found right, the one of
 * the directory that holds them last. So after a crash in between a part may be one start ahead of
 * that directory. A part without a mark is one of a store that was made before there were marks: it
 * gets one at the first start at which nothing else speaks against it.
 *
 * <p>Marks tell what was exchanged between two starts. What was exchanged for a copy of the same
 * run they do not: that is told by the positions that engine and ledger hold.
 */
public final class StoreParts {
  /** The file of a mark. */
  public static final String MARK = PartMark.FILE;

  private record Part(String name, Path directory) {}

  private final Path home;
  private final String homeName;
  private final boolean alone;
  private final Optional<PartMark> mark;
  private final List<Part> checked = new ArrayList<>();
  private Optional<PartMark> now = Optional.empty();

  private StoreParts(Path home, String homeName, boolean alone, Optional<PartMark> mark) {
    this.home = home;
    this.homeName = homeName;
    this.alone = alone;
    this.mark = mark;
  }

  /**
   * Reads the mark of the directory that the parts belong to.
   *
   * @param name what that directory is, as in {@code store} or {@code node 3}
   * @param alone whether the store is wholly in that directory
   * @param cluster which store it is of; absent if it is of none yet
   * @throws MixedPartsException if its mark is another's
   */
  public static StoreParts open(Path home, String name, boolean alone, Optional<UUID> cluster)
      throws IOException {
    StoreParts parts = new StoreParts(home, name, alone, PartMark.read(home));
    if (parts.mark.isPresent()) {
      parts.checkIsOf(home, parts.mark.get(), cluster, name);
    }
    return parts;
  }

  /** Whether the store was started before, with marks. */
  public boolean isPlaced() {
    return mark.isPresent();
  }

  /**
   * Checks a part that must be of the last start, for it is the only one that knows what it knows.
   *
   * @throws MixedPartsException if it is not
   */
  public void check(String name, Path directory, Optional<UUID> cluster) throws IOException {
    Optional<PartMark> found = checkIsOfHere(name, directory, cluster);
    if (found.isPresent()) {
      checkIsNotOlder(directory, found.get());
    } else if (mark.isPresent() && mark.get().parts().contains(name) && holdsAnything(directory)) {
      throw apart(
          directory
              + " is older than the rest of "
              + home
              + ": it has no file "
              + PartMark.FILE
              + ", which the rest has");
    }
    checked.add(new Part(name, directory));
  }

  /**
   * Checks a part that may have been filled anew from elsewhere, and then has no mark yet; with one
   * it must be of the last start.
   *
   * @throws MixedPartsException if it is not
   */
  public void checkIfMarked(String name, Path directory, Optional<UUID> cluster)
      throws IOException {
    Optional<PartMark> found = checkIsOfHere(name, directory, cluster);
    if (found.isPresent()) {
      checkIsNotOlder(directory, found.get());
    }
    checked.add(new Part(name, directory));
  }

  /**
   * Checks a part that may be older than the others, or missing, where these can bring it up to
   * date; whether they can is the caller's to find out.
   *
   * @throws MixedPartsException if it is another store's, another part, or newer than the others
   */
  public void checkRefillable(String name, Path directory, Optional<UUID> cluster)
      throws IOException {
    checkIsOfHere(name, directory, cluster);
    checked.add(new Part(name, directory));
  }

  private Optional<PartMark> checkIsOfHere(String name, Path directory, Optional<UUID> cluster)
      throws IOException {
    Optional<PartMark> found = PartMark.read(directory);
    if (found.isPresent()) {
      checkIsOf(directory, found.get(), cluster, name);
      checkIsNotNewer(directory, found.get());
    }
    return found;
  }

  private void checkIsOf(Path directory, PartMark found, Optional<UUID> cluster, String name)
      throws MixedPartsException {
    if (cluster.isEmpty() || !found.cluster().equals(cluster.get())) {
      throw apart(
          directory
              + " belongs to cluster "
              + found.cluster()
              + ", not to "
              + cluster.map(id -> id + ", as " + home + " does").orElse("a new one"));
    }
    if (!found.part().equals(name)) {
      throw apart(directory + " is the " + found.part() + " of this store, not its " + name);
    }
  }

  private void checkIsNotNewer(Path directory, PartMark found) throws MixedPartsException {
    long starts = mark.map(PartMark::starts).orElse(0L);
    boolean ahead = found.starts() == starts + 1;
    if (found.starts() > starts + 1) {
      throw apart(
          "the rest of "
              + home
              + " is older than "
              + directory
              + ", which was used at start "
              + found.starts()
              + " of this store, the rest at start "
              + starts);
    }
    boolean same =
        found.starts() == starts && mark.map(of -> of.start().equals(found.start())).orElse(false);
    boolean follows = ahead && mark.map(of -> of.start().equals(found.before())).orElse(true);
    if (found.starts() >= starts && !same && !follows) {
      throw apart(
          directory
              + " is of a copy of this store that went on elsewhere: start "
              + found.starts()
              + " was another one here");
    }
  }

  private void checkIsNotOlder(Path directory, PartMark found) throws MixedPartsException {
    long starts = mark.map(PartMark::starts).orElse(0L);
    if (found.starts() < starts) {
      throw apart(
          directory
              + " is older than the rest of "
              + home
              + ": it was used last at start "
              + found.starts()
              + " of this store, the rest at start "
              + starts);
    }
  }

  private MixedPartsException apart(String wrong) {
    return new MixedPartsException(wrong, alone);
  }

  private static boolean holdsAnything(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> !file.getFileName().toString().equals("lock"));
    }
  }

  /** All parts were found right: marks them, and the directory that holds them, for this start. */
  public void begin(UUID cluster) throws IOException {
    UUID start = UUID.randomUUID();
    PartMark begun =
        new PartMark(
            cluster,
            homeName,
            mark.map(PartMark::starts).orElse(0L) + 1,
            start,
            mark.map(PartMark::start).orElse(start),
            names());
    now = Optional.of(begun);
    for (Part part : checked) {
      mark(part);
    }
    begun.write(home);
  }

  private List<String> names() {
    return checked.stream().map(Part::name).toList();
  }

  /** Whether a part was checked or added. */
  public boolean has(String name) {
    return names().contains(name);
  }

  /** Marks a part that came after {@link #begin}. */
  public void add(String name, Path directory) throws IOException {
    checked.add(new Part(name, directory));
    PartMark begun = now.orElseThrow();
    mark(checked.getLast());
    new PartMark(begun.cluster(), homeName, begun.starts(), begun.start(), begun.before(), names())
        .write(home);
  }

  private void mark(Part part) throws IOException {
    PartMark begun = now.orElseThrow();
    Files.createDirectories(part.directory());
    new PartMark(
            begun.cluster(), part.name(), begun.starts(), begun.start(), begun.before(), List.of())
        .write(part.directory());
  }
}
