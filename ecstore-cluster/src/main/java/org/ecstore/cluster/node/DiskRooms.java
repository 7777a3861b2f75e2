package org.ecstore.cluster.node;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ecstore.protocol.ClientReply.DiskRoom;

/**
 * The room on the disks that a node writes to, looked up every few seconds by a thread of its own:
 * a file system that hangs holds up no caller. Safe for use by several threads.
 */
final class DiskRooms implements AutoCloseable {
  private static final long LOOK_SECONDS = 5;

  private final Map<String, Path> directories;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile List<DiskRoom> seen = List.of();

  private DiskRooms(Map<String, Path> directories) {
    this.directories = directories;
  }

  /**
   * Looks from now on, until it is closed.
   *
   * @param directories by what writes there, in the order of people's interest
   */
  static DiskRooms of(Map<String, Path> directories) {
    DiskRooms rooms = new DiskRooms(directories);
    Thread.ofPlatform().daemon().name("ecstore-disk-room").start(rooms::lookOn);
    return rooms;
  }

  private void lookOn() {
    try {
      do {
        seen = look(directories);
      } while (!closed.await(LOOK_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As it is; without what cannot be told. */
  static List<DiskRoom> look(Map<String, Path> directories) {
    List<DiskRoom> rooms = new ArrayList<>();
    directories.forEach(
        (of, directory) -> {
          try {
            FileStore store = Files.getFileStore(directory);
            rooms.add(new DiskRoom(of, store.getUsableSpace(), store.getTotalSpace()));
          } catch (IOException _) {
            // A directory that is not there yet, or a file system that does not say.
          }
        });
    return List.copyOf(rooms);
  }

  /** As it was when it was looked up last; nothing at first. */
  List<DiskRoom> seen() {
    return seen;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
