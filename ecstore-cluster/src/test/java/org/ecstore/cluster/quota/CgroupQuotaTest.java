package org.ecstore.cluster.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.ecstore.id.NodeId;
import org.ecstore.model.NodeTraits.Capacity.Keeper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tree of files as the kernel has it: groups that are made get theirs from a fake of it. */
class CgroupQuotaTest {
  private static final BigDecimal FIFTH = new BigDecimal("0.2");
  private static final long PID = ProcessHandle.current().pid();

  @TempDir private Path directory;
  private Path proc;
  private Path tree;
  private Path own;

  @BeforeEach
  void delegate() throws IOException {
    proc = Files.createDirectory(directory.resolve("proc"));
    tree = directory.resolve("cgroup two");
    own = tree.resolve("user.slice/run-1.scope");
    Files.createDirectories(own);
    mounted(tree.toString().replace(" ", "\\040"));
    Files.writeString(proc.resolve("cgroup"), "1:cpuset:/\n0::/user.slice/run-1.scope\n");
    Files.writeString(own.resolve("cpu.max"), "max 100000\n");
    Files.writeString(own.resolveSibling("cgroup.subtree_control"), "cpu memory pids\n");
  }

  private void mounted(String where) throws IOException {
    Files.writeString(
        proc.resolve("mountinfo"),
        "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n41 31 0:38 / %s rw,relatime - cgroup2 cgroup2 rw\n"
            .formatted(where));
  }

  private static void kernelMakes(Path group) throws IOException {
    Files.createDirectory(group);
    Files.writeString(group.resolve("cpu.max"), "max 100000\n");
    Files.writeString(group.resolve("cgroup.procs"), "");
  }

  private Optional<String> hold(CgroupQuota.Groups groups) {
    return new CgroupQuota(proc, PID, groups).hold(FIFTH, "ecstore-node-3");
  }

  private String why(CgroupQuota.Groups groups) {
    return hold(groups).orElse("it is held");
  }

  private static long groupsIn(Path parent) throws IOException {
    try (Stream<Path> all = Files.list(parent)) {
      return all.filter(Files::isDirectory).count();
    }
  }

  @Test
  void theProcessEntersAGroupOfItsOwnBesideItsOwnOne() throws IOException {
    assertEquals(Optional.empty(), hold(CgroupQuotaTest::kernelMakes));
    Path group = own.resolveSibling("ecstore-node-3-" + PID);
    assertEquals("20000 100000", Files.readString(group.resolve("cpu.max")));
    assertEquals(Long.toString(PID), Files.readString(group.resolve("cgroup.procs")));
  }

  @Test
  void aProcessThatAnotherHoldsToAsLittleStaysWhereItIs() throws IOException {
    for (String limit : new String[] {"20000 100000", "10000 100000", "1000 5000"}) {
      Files.writeString(own.resolve("cpu.max"), limit + "\n");
      assertEquals(Optional.empty(), hold(_ -> fail("no group is made")), limit);
    }
    Files.writeString(own.resolve("cpu.max"), "20001 100000\n");
    assertEquals(Optional.empty(), hold(CgroupQuotaTest::kernelMakes));
    assertEquals(2, groupsIn(parent()), "of its own one it had more than its capacity");
  }

  private Path parent() {
    return Objects.requireNonNull(own.getParent(), "it is made in a directory");
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    Path parent = parent();
    Files.writeString(parent.resolve("cgroup.subtree_control"), "memory cpuset\n");
    assertEquals(
        parent + " does not hand the cpu controller to its groups (cgroup.subtree_control)",
        why(CgroupQuotaTest::kernelMakes));
    Files.writeString(proc.resolve("cgroup"), "2:cpu:/\n");
    assertEquals("the process is in no group of cgroup v2", why(CgroupQuotaTest::kernelMakes));
    Files.writeString(proc.resolve("cgroup"), "0::/../../elsewhere\n");
    assertEquals("the process is in no group of cgroup v2", why(CgroupQuotaTest::kernelMakes));
    Files.writeString(proc.resolve("mountinfo"), "31 23 0:28 / /sys rw - cgroup cgroup rw,cpu\n");
    assertEquals("no cgroup v2 is mounted", why(CgroupQuotaTest::kernelMakes));
    Files.delete(proc.resolve("mountinfo"));
    assertEquals(
        proc.resolve("mountinfo") + ": no such file or directory",
        why(CgroupQuotaTest::kernelMakes));
  }

  @Test
  void aKernelThatDoesNotTakeItLeavesNoGroupBehind() throws IOException {
    assertEquals("a group that was made has no cpu.max", why(Files::createDirectory));
    assertTrue(
        why(group -> {
              throw new AccessDeniedException(group.toString());
            })
            .endsWith(": permission denied"));
    assertEquals(1, groupsIn(parent()));
  }

  @Test
  void groupsOfNodesThatEndedAreRemovedAndOthersStay() throws IOException {
    Path ended = Files.createDirectory(own.resolveSibling("ecstore-node-3-999999999999"));
    Path running =
        Files.createDirectory(
            own.resolveSibling(
                "ecstore-node-3-" + ProcessHandle.current().parent().orElseThrow().pid()));
    Path ofAnother = Files.createDirectory(own.resolveSibling("ecstore-node-33-999999999999"));
    assertEquals(Optional.empty(), hold(CgroupQuotaTest::kernelMakes));
    assertFalse(Files.exists(ended));
    assertTrue(Files.exists(running));
    assertTrue(Files.exists(ofAnother));
  }

  @Test
  void theNodeKeepsToItItselfWhereTheKernelDoesNot() {
    NodeId node = new NodeId(3);
    HeldCapacity kept =
        HeldCapacity.begin(FIFTH, node, new CgroupQuota(proc, PID, CgroupQuotaTest::kernelMakes));
    assertEquals(Keeper.KERNEL, kept.capacity().keeper());
    assertEquals("0.2 processors, which the kernel holds it to", kept.words());
    HeldCapacity byItself =
        HeldCapacity.begin(
            FIFTH, node, new CgroupQuota(directory, PID, CgroupQuotaTest::kernelMakes));
    assertEquals(Keeper.NODE, byItself.capacity().keeper());
    assertEquals("0.2 processors, which it keeps to itself", byItself.words());
    assertTrue(byItself.detail().contains("mountinfo"), byItself::detail);
  }
}
