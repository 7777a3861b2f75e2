package org.ecstore.cluster.zookeeper;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.ecstore.id.NodeId;

/**
 * Where things lie in ZooKeeper:
 *
 * <pre>
 * /ecstore/CLUSTER/values/KEY         a value; the version of the port is the znode's plus one
 * /ecstore/CLUSTER/incarnations/NODE  as often written as the node has joined
 * /ecstore/CLUSTER/members/...        an ephemeral znode for each live member: {@link MemberEntry}
 * /ecstore/CLUSTER/barrier            written where a read must not be stale by any chance
 * /ecstore/CLUSTER/NAME               what {@link ZooKeeperCoordination#createOrRead} keeps
 * </pre>
 *
 * @param root {@code /ecstore/CLUSTER}
 */
record Layout(String root) {
  private static final String TOP = "/ecstore";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}");
  private static final Set<String> OWN = Set.of("values", "incarnations", "members", "barrier");

  /**
   * The places of a cluster.
   *
   * @throws IllegalArgumentException if its name cannot be that of a znode
   */
  static Layout of(String cluster) {
    return new Layout(TOP + "/" + checked("the name of a cluster", cluster));
  }

  private static String checked(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          what
              + " is 1 to 100 letters, digits, '_', '-' and, but for the first, '.': not '"
              + name
              + "'");
    }
    return name;
  }

  /** What must be there before anything else, parents first. */
  List<String> permanent() {
    return List.of(TOP, root, values(), incarnations(), members(), barrier());
  }

  private String values() {
    return root + "/values";
  }

  private String incarnations() {
    return root + "/incarnations";
  }

  String members() {
    return root + "/members";
  }

  String barrier() {
    return root + "/barrier";
  }

  String value(String key) {
    // No text is encoded as a lone '%'.
    return values() + "/" + (key.isEmpty() ? "%" : encoded(key));
  }

  String incarnation(NodeId node) {
    return incarnations() + "/" + node.value();
  }

  /** Of what {@link ZooKeeperCoordination#createOrRead} keeps. */
  String named(String name) {
    if (OWN.contains(name)) {
      throw new IllegalArgumentException("'" + name + "' is in use for something else");
    }
    return root + "/" + checked("a name", name);
  }

  /** A text as part of the name of a znode, without commas and slashes. */
  static String encoded(String text) {
    String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8);
    // Paths of ZooKeeper have no relative parts.
    return encoded.equals(".") || encoded.equals("..") ? encoded.replace(".", "%2E") : encoded;
  }
}
