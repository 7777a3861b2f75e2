package org.ecstore.cluster.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.id.NodeId;
import org.ecstore.model.NodeTraits;
import org.junit.jupiter.api.Test;

class MemberEntryTest {
  private static final NodeTraits TRAITS =
      new NodeTraits("large", Optional.of(new BigDecimal("0.25")), "1.2.3", "je");
  private static final MemberInfo INFO = new MemberInfo("h:7420", "rack 1", TRAITS);
  private static final Member MEMBER = new Member(new NodeId(7), 3, INFO);

  private static MemberEntry parsed(String name) {
    return MemberEntry.parse(name).orElseThrow(() -> new AssertionError(name));
  }

  @Test
  void aNameTellsAllThatWasSaid() {
    String name = MemberEntry.prefix(MEMBER, 0xabcL, OptionalInt.empty()) + "0000000012";
    assertEquals(
        "7,3,abc,h%3A7420,rack+1,class=large,price=0.25,version=1.2.3,engine=je,,0000000012", name);
    assertEquals(new MemberEntry(MEMBER, 0xabcL, 12, 12, name), parsed(name));
  }

  @Test
  void seniorityIsKept() {
    String name = MemberEntry.prefix(MEMBER, 1, OptionalInt.of(-4)) + "-2147483648";
    assertEquals(-4, parsed(name).seniority());
    assertEquals(MEMBER, parsed(name).member());
  }

  @Test
  void aNameOfAnEarlierReleaseSaysNothingOfTraits() {
    Member plain =
        new Member(new NodeId(7), 3, new MemberInfo("h:7420", "rack 1", NodeTraits.UNKNOWN));
    String name = "7,3,abc,h%3A7420,rack+1,,0000000012";
    assertEquals(plain, parsed(name).member());
    assertEquals(name, MemberEntry.prefix(plain, 0xabcL, OptionalInt.empty()) + "0000000012");
    assertEquals(5, parsed("7,3,abc,h%3A7420,rack+1,5,0000000012").seniority());
  }

  @Test
  void fieldsOfALaterReleaseArePassedBy() {
    MemberEntry entry =
        parsed("7,3,abc,h%3A7420,rack+1,zone=a%2Cb,class=large,disk=,price=cheap,5,0000000012");
    assertEquals(new NodeTraits("large", Optional.empty(), "", ""), entry.member().info().traits());
    assertEquals(5, entry.seniority());
  }

  @Test
  void moreThanAnEntryHoldsIsNone() {
    String many = ",a=b".repeat(33);
    assertEquals(Optional.empty(), MemberEntry.parse("7,3,abc,h,r" + many + ",,0000000012"));
    String large = ",a=" + "b".repeat(256);
    assertEquals(Optional.empty(), MemberEntry.parse("7,3,abc,h,r" + large + ",,0000000012"));
  }
}
