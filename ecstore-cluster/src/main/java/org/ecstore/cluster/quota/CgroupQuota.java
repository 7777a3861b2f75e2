package org.ecstore.cluster.quota;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ecstore.server.file.FileErrors;

/**
 * A quota of processor time by the kernel: cgroup v2, {@code cpu.max}. A process whose own group
 * has such a quota already, as one that a service manager or a container set, is left there.
 * Another one is put into a group of its own beside its own one, as within a group that has
 * processes there can be none with a quota. What a group's parent does not hand to its groups is
 * not switched on here: an operator of the machine does that.
 *
 * <p>Source: Linux, Documentation/admin-guide/cgroup-v2.rst.
 */
final class CgroupQuota {
  private static final int PERIOD_MICROS = 100_000;
  private static final String MAX = "cpu.max";
  private static final String PROCESSES = "cgroup.procs";
  private static final String OWN_GROUP = "0::";
  private static final Pattern LIMIT = Pattern.compile("(max|[0-9]{1,18}) ([1-9][0-9]{0,17})");
  private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

  /** Makes a group: the kernel puts its files into the directory. */
  interface Groups {
    void make(Path directory) throws IOException;
  }

  private final Path proc;
  private final long pid;
  private final Groups groups;

  /**
   * Of a process.
   *
   * @param proc what {@code /proc/self} has of it
   */
  CgroupQuota(Path proc, long pid, Groups groups) {
    this.proc = proc;
    this.pid = pid;
    this.groups = groups;
  }

  static CgroupQuota ofThisProcess() {
    return new CgroupQuota(
        Path.of("/proc/self"), ProcessHandle.current().pid(), Files::createDirectory);
  }

  /**
   * Holds the process to so many processors.
   *
   * @param name of its group, to which its number is added
   * @return why that is not done; empty if it is
   */
  Optional<String> hold(BigDecimal processors, String name) {
    try {
      Optional<Path> mount = mount();
      if (mount.isEmpty()) {
        return Optional.of("no cgroup v2 is mounted");
      }
      Optional<Path> own = own(mount.get());
      if (own.isEmpty()) {
        return Optional.of("the process is in no group of cgroup v2");
      }
      if (isWithin(own.get().resolve(MAX), processors)) {
        return Optional.empty();
      }
      Path parent = own.get().equals(mount.get()) ? own.get() : own.get().resolveSibling("");
      if (!handsOut(parent)) {
        return Optional.of(
            "%s does not hand the cpu controller to its groups (cgroup.subtree_control)"
                .formatted(parent));
      }
      removeLeft(parent, name);
      return enter(parent.resolve(name + "-" + pid), processors);
    } catch (FileSystemException e) {
      return Optional.of(e.getFile() + ": " + FileErrors.reason(e));
    } catch (IOException | UncheckedIOException e) {
      return Optional.of(e.toString());
    }
  }

  /** Where the tree is, with what of it is seen there. */
  private Optional<Path> mount() throws IOException {
    for (String line : Files.readAllLines(proc.resolve("mountinfo"))) {
      int dash = line.indexOf(" - ");
      List<String> fields = List.of(line.split(" ", -1));
      if (dash > 0 && line.startsWith("cgroup2 ", dash + 3) && fields.size() > 4) {
        return Optional.of(Path.of(plain(fields.get(4))));
      }
    }
    return Optional.empty();
  }

  /** Blanks stand as \040 there. */
  private static String plain(String escaped) {
    return OCTAL
        .matcher(escaped)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    String.valueOf((char) Integer.parseInt(found.group(1), 8))));
  }

  private Optional<Path> own(Path mount) throws IOException {
    return Files.readAllLines(proc.resolve("cgroup")).stream()
        .filter(line -> line.startsWith(OWN_GROUP))
        .map(line -> mount.resolve("." + line.substring(OWN_GROUP.length())).normalize())
        .filter(group -> group.startsWith(mount) && Files.isDirectory(group))
        .findFirst();
  }

  private static boolean isWithin(Path limit, BigDecimal processors) throws IOException {
    if (!Files.exists(limit)) {
      return false;
    }
    Matcher matcher = LIMIT.matcher(Files.readString(limit).strip());
    if (!matcher.matches() || matcher.group(1).equals("max")) {
      return false;
    }
    BigDecimal period = new BigDecimal(matcher.group(2));
    return new BigDecimal(matcher.group(1)).compareTo(period.multiply(processors)) <= 0;
  }

  private static boolean handsOut(Path parent) throws IOException {
    Path control = parent.resolve("cgroup.subtree_control");
    return Files.exists(control)
        && List.of(Files.readString(control).strip().split("\\s+", -1)).contains("cpu");
  }

  /** Groups of processes that have ended. */
  private static void removeLeft(Path parent, String name) throws IOException {
    Pattern left = Pattern.compile(Pattern.quote(name) + "-([0-9]{1,18})");
    try (Stream<Path> all = Files.list(parent)) {
      for (Path group : all.filter(Files::isDirectory).toList()) {
        Matcher matcher = left.matcher(group.getFileName().toString());
        if (matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty()) {
          Files.deleteIfExists(group);
        }
      }
    }
  }

  private Optional<String> enter(Path group, BigDecimal processors) throws IOException {
    groups.make(group);
    try {
      if (!Files.exists(group.resolve(MAX))) {
        Files.delete(group);
        return Optional.of("a group that was made has no cpu.max");
      }
      String limit =
          processors
                  .multiply(BigDecimal.valueOf(PERIOD_MICROS))
                  .setScale(0, RoundingMode.CEILING)
                  .toPlainString()
              + " "
              + PERIOD_MICROS;
      write(group.resolve(MAX), limit);
      if (!isWithin(group.resolve(MAX), processors)) {
        Files.delete(group);
        return Optional.of("the kernel did not take " + limit + " for cpu.max");
      }
      write(group.resolve(PROCESSES), Long.toString(pid));
      return Optional.empty();
    } catch (IOException e) {
      Files.deleteIfExists(group);
      throw e;
    }
  }

  /** What is not there is not made: it would be a plain file. */
  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
  }
}
