package org.ecstore.cluster.zookeeper;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.id.NodeId;
import org.ecstore.model.NodeTraits;

/**
 * A member as its ephemeral znode tells of it. Everything is in the name, so that one read of the
 * names shows the membership, and the order of the election, as they were at one moment. Fields
 * stand between commas: node, incarnation, session, address, host, any number of {@code
 * name=value}, seniority, number. A reader passes by those whose names it does not know.
 *
 * @param session whose end removes the znode
 * @param seniority the least leads: the number that ZooKeeper appended to the name, or the
 *     seniority of the entry in whose place, or right behind which, it came
 * @param number that ZooKeeper appended to the name
 * @param name of the znode
 */
record MemberEntry(Member member, long session, int seniority, int number, String name) {
  private static final Pattern NAME =
      Pattern.compile(
          "(?<node>\\d{1,18}),(?<incarnation>\\d{1,18}),(?<session>\\p{XDigit}{1,16})"
              + ",(?<address>[^,/]*),(?<host>[^,/]*)(?<traits>(,[a-z]{1,32}=[^,/]{0,255}){0,32})"
              + ",(?<seniority>-?\\d{1,11})?,(?<number>-?\\d{10,11})");

  /**
   * The name of a znode to be created, up to the number that ZooKeeper appends.
   *
   * @param seniority of the entry in whose place, or right behind which, it comes; absent for the
   *     last in the succession
   */
  static String prefix(Member member, long session, OptionalInt seniority) {
    return "%d,%d,%s,%s,%s%s,%s,"
        .formatted(
            member.node().value(),
            member.incarnation(),
            Long.toHexString(session),
            Layout.encoded(member.info().address()),
            Layout.encoded(member.info().host()),
            traits(member.info().traits()),
            seniority.isPresent() ? Integer.toString(seniority.getAsInt()) : "");
  }

  /** Each a field of its own, which a name of an earlier release does not have. */
  private static String traits(NodeTraits traits) {
    String text = traits.text();
    return text.isEmpty() ? "" : "," + text.replace(';', ',');
  }

  /** The entry of a znode; absent if the name is none of ours. */
  static Optional<MemberEntry> parse(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      Member member =
          new Member(
              new NodeId(Long.parseLong(matcher.group("node"))),
              Long.parseLong(matcher.group("incarnation")),
              new MemberInfo(
                  decoded(matcher.group("address")),
                  decoded(matcher.group("host")),
                  NodeTraits.parse(matcher.group("traits").replace(',', ';'))));
      int number = Integer.parseInt(matcher.group("number"));
      String seniority = matcher.group("seniority");
      return Optional.of(
          new MemberEntry(
              member,
              Long.parseUnsignedLong(matcher.group("session"), 16),
              seniority == null ? number : Integer.parseInt(seniority),
              number,
              name));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** Whether it speaks of one incarnation of a node, under whatever session. */
  boolean isOf(NodeId node, long incarnation) {
    return member.node().equals(node) && member.incarnation() == incarnation;
  }
}
