package org.ecstore.cluster.bookkeeper.bookie;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.bookkeeper.bookie.BookieException;
import org.apache.bookkeeper.bookie.BookieImpl;
import org.apache.bookkeeper.bookie.Cookie;
import org.apache.bookkeeper.bookie.ExitCode;
import org.apache.bookkeeper.discover.RegistrationManager;
import org.apache.bookkeeper.net.BookieId;
import org.apache.zookeeper.KeeperException;
import org.ecstore.cluster.bookkeeper.metadata.MetadataZooKeeper;
import org.ecstore.server.refusal.Outlook;

/** Turns what BookKeeper says when a bookie cannot start into one message that says what to do. */
final class BookieRefusals {
  private static final Pattern FIELD = Pattern.compile("(\\w+): \"([^\"]*)\"");

  private final BookieSettings settings;
  private final String zooKeeper;
  private final Path directory;

  BookieRefusals(BookieSettings settings, String zooKeeper, Path directory) {
    this.settings = settings;
    this.zooKeeper = zooKeeper;
    this.directory = directory;
  }

  BookieRefusedException noZooKeeper(Exception cause) {
    return refused(
        "ZooKeeper at %s does not answer as it should".formatted(zooKeeper), cause, Outlook.SOON);
  }

  /** Finds a taken port before BookKeeper does, which would leave threads behind. */
  void checkPort() throws BookieRefusedException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(settings.host(), settings.port()));
    } catch (IOException e) {
      throw refused(
          "cannot listen on port %d of %s (%s): end what listens there, or give the bookie another"
                  .formatted(settings.port(), settings.host(), e.getMessage())
              + " port",
          e);
    }
  }

  /** Why a bookie that has run into an exception does not start. */
  BookieRefusedException explain(Exception cause, RegistrationManager registrations) {
    for (Throwable next = cause; next != null; next = next.getCause()) {
      if (next instanceof BookieException.InvalidCookieException
          || next instanceof BookieException.CookieNotFoundException) {
        return wrongDirectory(cause, registrations);
      }
    }
    return refused(cause.toString(), cause);
  }

  private BookieRefusedException wrongDirectory(
      Exception cause, RegistrationManager registrations) {
    try {
      Optional<String> here = cookieHere();
      Optional<String> known = cookieKnown(registrations);
      return refused(mismatch(here, known), cause, Outlook.LASTING);
    } catch (IOException | BookieException e) {
      cause.addSuppressed(e);
      return refused("its cookie cannot be read: " + e, cause);
    }
  }

  private String mismatch(Optional<String> here, Optional<String> known) {
    if (known.isPresent() && here.isEmpty()) {
      return "directory "
          + directory
          + " has lost the data of this bookie. An empty bookie does not remember which ledgers"
          + " were fenced and could let a deposed sequencer append. Give it back the directory it"
          + " had ("
          + field(known.get(), "journalDir")
          + "), or start it under a new id with an empty directory";
    }
    if (here.isPresent() && known.isEmpty()) {
      return "directory "
          + directory
          + " belongs to bookie "
          + field(here.get(), "bookieHost")
          + ", which this cluster's ZooKeeper does not know: it is another cluster's, or ZooKeeper"
          + " has lost its data. Use the ZooKeeper it was made with, or an empty directory";
    }
    String owner = here.map(cookie -> field(cookie, "bookieHost")).orElse("(none)");
    if (!owner.equals(settings.id())) {
      return "directory %s belongs to bookie %s: give each bookie its own"
          .formatted(directory, owner);
    }
    String instanceHere = field(here.orElse(""), "instanceId");
    String instanceKnown = field(known.orElse(""), "instanceId");
    if (!instanceHere.equals(instanceKnown)) {
      return "directory %s is of an older cluster of this name: use an empty directory"
          .formatted(directory);
    }
    return "directory "
        + directory
        + " was "
        + field(here.orElse(""), "journalDir")
        + " when the bookie was made, and a bookie's directory cannot be moved: move it back";
  }

  private Optional<String> cookieHere() throws IOException {
    File current = BookieImpl.getCurrentDirectory(directory.resolve("journal").toFile());
    try {
      return Optional.of(Cookie.readFromDirectory(current).toString());
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private Optional<String> cookieKnown(RegistrationManager registrations) throws BookieException {
    try {
      BookieId id = BookieId.parse(settings.id());
      return Optional.of(
          Cookie.readFromRegistrationManager(registrations, id).getValue().toString());
    } catch (BookieException.CookieNotFoundException e) {
      return Optional.empty();
    }
  }

  private static String field(String cookie, String name) {
    Matcher matcher = FIELD.matcher(cookie);
    while (matcher.find()) {
      if (matcher.group(1).equals(name)) {
        return matcher.group(2);
      }
    }
    return "unknown";
  }

  /**
   * Why a bookie whose start ended without an exception does not run. One that could not register,
   * and whose place no other has, may do so soon: ZooKeeper was away, or had taken the registration
   * and its answer was lost.
   */
  BookieRefusedException notRunning(int exitCode, MetadataZooKeeper zooKeeper) {
    Exception cause = new IllegalStateException("BookKeeper's exit code " + exitCode);
    if (exitCode != ExitCode.ZK_REG_FAIL) {
      return refused(
          "it ended with BookKeeper's code " + exitCode + "; the log of BookKeeper says more",
          cause);
    }
    try {
      return StaleRegistration.of(zooKeeper, settings) == StaleRegistration.Owner.ANOTHER
          ? refused("another bookie with this id is running: give each bookie its own id", cause)
          : notRegistered(cause);
    } catch (KeeperException e) {
      return notRegistered(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return notRegistered(e);
    }
  }

  private BookieRefusedException notRegistered(Exception cause) {
    return refused(
        "it could not register with ZooKeeper at %s, and tries again; BookKeeper's log says more"
            .formatted(zooKeeper),
        cause,
        Outlook.SOON);
  }

  private BookieRefusedException refused(String why, Throwable cause) {
    return refused(why, cause, Outlook.NEXT_START);
  }

  private BookieRefusedException refused(String why, Throwable cause, Outlook outlook) {
    return new BookieRefusedException(
        "bookie %s: %s".formatted(settings.id(), why), cause, outlook);
  }
}
