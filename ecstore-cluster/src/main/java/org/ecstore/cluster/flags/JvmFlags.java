package org.ecstore.cluster.flags;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Flags of a virtual machine that come from two sides: ours, and those that an operator gives. */
public final class JvmFlags {
  private static final Pattern COLLECTOR = Pattern.compile("-XX:[+-]Use\\w+GC");
  private static final Pattern HEAP =
      Pattern.compile("-Xmx.*|-XX:MaxHeapSize=.*|-XX:(Max)?RAM(Percentage|Fraction)?=.*");
  private static final Pattern HEAP_BYTES = Pattern.compile("-Xmx([0-9]{1,18})([kKmMgG]?)");
  private static final Pattern HEAP_FIRST =
      Pattern.compile("-Xms.*|-XX:InitialHeapSize=.*|-XX:InitialRAM(Percentage|Fraction)=.*");
  private static final Pattern DIRECT = Pattern.compile("-XX:MaxDirectMemorySize=.*");
  private static final Pattern COMPILERS =
      Pattern.compile("-XX:TieredStopAtLevel=.*|-XX:[+-]TieredCompilation|-XX:CompilationMode=.*");
  private static final Pattern COMPILED_AFTER =
      Pattern.compile("-XX:CompileThresholdScaling=.*|-XX:\\w+Threshold=.*");
  private static final long ANSWER_SECONDS = 20;

  private JvmFlags() {}

  /**
   * Our flags without those that the given ones replace: a virtual machine refuses two collectors,
   * and a first heap above the largest one; it has the compilers that were given, and they compile
   * after as many calls as was given.
   */
  public static List<String> beside(List<String> own, List<String> given) {
    boolean heap = any(given, HEAP);
    return own.stream()
        .filter(flag -> !(matches(flag, COLLECTOR) && any(given, COLLECTOR)))
        .filter(flag -> !(matches(flag, HEAP) && heap))
        .filter(flag -> !(matches(flag, HEAP_FIRST) && (heap || any(given, HEAP_FIRST))))
        .filter(flag -> !(matches(flag, DIRECT) && (heap || any(given, DIRECT))))
        .filter(flag -> !(matches(flag, COMPILERS) && choosesCompilers(given)))
        .filter(flag -> !(matches(flag, COMPILED_AFTER) && any(given, COMPILED_AFTER)))
        .toList();
  }

  /** Whether some of them say which compilers a virtual machine has. */
  static boolean choosesCompilers(List<String> flags) {
    return any(flags, COMPILERS);
  }

  /** Those of a command line that say what heap, buffers and collector a process has. */
  public static List<String> ofMemory(List<String> words) {
    return words.stream()
        .filter(
            word ->
                Stream.of(HEAP_FIRST, HEAP, DIRECT, COLLECTOR)
                    .anyMatch(kind -> matches(word, kind)))
        .toList();
  }

  /** The largest heap that flags name, in bytes; absent if they do not, or by parts of all. */
  public static Optional<Long> heapBytes(List<String> flags) {
    Optional<String> last =
        flags.stream().filter(flag -> matches(flag, HEAP)).reduce((_, later) -> later);
    return last.map(HEAP_BYTES::matcher).filter(Matcher::matches).map(JvmFlags::bytes);
  }

  private static long bytes(Matcher heap) {
    int shift =
        switch (heap.group(2).toLowerCase(Locale.ROOT)) {
          case "k" -> 10;
          case "m" -> 20;
          case "g" -> 30;
          default -> 0;
        };
    long count = Long.parseLong(heap.group(1));
    return count > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : count << shift;
  }

  private static boolean any(List<String> flags, Pattern which) {
    return flags.stream().anyMatch(flag -> matches(flag, which));
  }

  private static boolean matches(String flag, Pattern which) {
    return which.matcher(flag).matches();
  }

  /**
   * Why a virtual machine does not start with some flags; absent if it does. It is started, to end
   * at once.
   */
  public static Optional<String> whyNotStarted(Path java, List<String> flags)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(flags);
    command.add("-version");
    Process tried = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(tried.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!tried.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
      tried.destroyForcibly();
      return Optional.empty();
    }
    return tried.exitValue() == 0 ? Optional.empty() : Optional.of(reason(said));
  }

  /** Without what it says of every reason. */
  private static String reason(String said) {
    return said.lines()
        .filter(line -> !line.isBlank() && !line.startsWith("Error occurred"))
        .findFirst()
        .orElse("it gives no reason");
  }
}
