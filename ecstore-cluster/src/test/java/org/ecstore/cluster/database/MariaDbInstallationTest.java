package org.ecstore.cluster.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the data of a server are made; the program that makes them is a script. */
class MariaDbInstallationTest {
  @TempDir private Path directory;

  /** Makes the directory that it is told, a file in it, and whatever else. */
  private MariaDbPrograms installing(String then) throws IOException {
    Path install = directory.resolve("install");
    Files.writeString(
        install,
        """
        #!/bin/sh
        for word; do case $word in --datadir=*) data=${word#--datadir=} ;; esac; done
        mkdir "$data" && echo half >"$data/mysql" || exit 1
        %s
        """
            .formatted(then));
    Files.setPosixFilePermissions(install, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new MariaDbPrograms(directory.resolve("mariadbd"), install, Optional.empty());
  }

  private DatabaseServer server(MariaDbPrograms programs) throws Exception {
    return programs.server(directory.resolve("home"), 7777, List.of(), "");
  }

  /** As where it was interrupted, or the disk was full. */
  @Test
  void whatAnInstallationLeftThatFailedIsNotTakenForWhole() throws Exception {
    MariaDbPrograms failing = installing("exit 1");
    assertThrows(ServerUnavailableException.class, () -> server(failing));
    Path data = directory.resolve("home/data");
    assertFalse(Files.exists(data));

    DatabaseServer server = server(installing("echo whole >\"$data/mysql\""));
    assertEquals("whole\n", Files.readString(data.resolve("mysql")));
    assertFalse(Files.exists(directory.resolve("home/data.new")));
    assertEquals("--datadir=" + data, server.command().get(2));
  }

  @Test
  void whatIsWholeIsNotInstalledAgain() throws Exception {
    Path data = directory.resolve("home/data");
    Path table = Files.createDirectories(data.resolve("ecstore")).resolve("rows.frm");
    Files.writeString(table, "");
    server(installing("exit 1"));
    assertFalse(Files.exists(data.resolve("mysql")));
    assertTrue(Files.exists(table));
  }

  /** An earlier build made them under the name of whole ones. Nothing has been stored there yet. */
  @Test
  void whatAnEarlierBuildLeftHalfIsInstalledAgain() throws Exception {
    Path data = directory.resolve("home/data");
    Path half = Files.createDirectories(data.resolve("sys")).resolve("sys_config.frm");
    Files.writeString(half, "");
    Files.createDirectories(data.resolve("#tmp/any"));
    Files.writeString(Files.createDirectories(data.resolve("ecstore")).resolve("db.opt"), "");
    assertThrows(ServerUnavailableException.class, () -> server(installing("exit 1")));
    assertTrue(Files.exists(half), "nothing goes before there is something else");
    server(installing("echo whole >\"$data/mysql\""));
    assertEquals("whole\n", Files.readString(data.resolve("mysql")));
    assertFalse(Files.exists(half));
  }
}
