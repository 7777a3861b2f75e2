package org.ecstore.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Another JVM on this one's class path, whose standard output and error are read as one. */
public final class ChildProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  public ChildProcess(Class<?> main, Object... arguments) throws IOException {
    this(List.of(), main, arguments);
  }

  /** One with further flags of its virtual machine. */
  public ChildProcess(List<String> flags, Class<?> main, Object... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+UseSerialGC");
    command.add("-Dkryo.unsafe=false");
    command.add("--enable-native-access=ALL-UNNAMED");
    // BookKeeper's messages use what later releases of Java will not have.
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("--add-opens=java.base/java.io=ALL-UNNAMED");
    command.addAll(flags);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    output = process.inputReader(StandardCharsets.UTF_8);
  }

  /** The next line it says; "" once it has ended. */
  public String line() throws IOException {
    String line = output.readLine();
    return line == null ? "" : line;
  }

  /** Its next line but those by which a slow start is told, its own or that of ZooKeeper. */
  public String lineOnceItServes() throws IOException {
    String line = line();
    while (line.contains("does not serve yet") || line.contains("waits for ZooKeeper")) {
      line = line();
    }
    return line;
  }

  /** All it still says until it ends. */
  public String rest() throws IOException {
    return output.lines().collect(Collectors.joining("\n"));
  }

  /** SIGKILL; what it had said by then can still be read. */
  public void kill() {
    // By its handle, which leaves the stream open.
    process.toHandle().destroyForcibly();
  }

  /** SIGTERM. */
  public void terminate() {
    process.toHandle().destroy();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public long pid() {
    return process.pid();
  }

  public int exitStatus() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
