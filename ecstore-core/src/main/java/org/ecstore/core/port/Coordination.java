package org.ecstore.core.port;

import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.NodeTraits;

/**
 * Membership, versioned compare-and-set and an election hint. Every call returns at once; its
 * result is an {@link Event.CoordinationDone} with the same token. Membership and the hint come as
 * events without a call once the node has joined.
 */
public interface Coordination {
  /**
   * Announces this node: {@link CoordinationResult.Joined} with its incarnation, greater than any
   * it had before. A process that had joined under this id by another handle is told {@link
   * Event.Displaced}, if it lives.
   */
  void join(long token, NodeId node, MemberInfo info);

  /** Reads a value: {@link CoordinationResult.Stored}. */
  void get(long token, String key);

  /**
   * Replaces a value if its version is still the expected one (0: absent): {@link
   * CoordinationResult.Swapped}, {@link CoordinationResult.Lost} or {@link
   * CoordinationResult.Unknown}.
   */
  void compareAndSet(long token, String key, long expectedVersion, Bytes value);

  /**
   * Reads afresh who is to lead: {@link CoordinationResult.Leader}, no older than the call, or
   * {@link CoordinationResult.Unknown}. Only a hint, as {@link Event.LeaderHinted} is (rule 6).
   */
  void leader(long token);

  /**
   * Lets others lead: from now on this member counts as the one that joined last. It stays a member
   * all the time, and leads only where no other is there. {@link CoordinationResult.Leader} says
   * who is to lead then; {@link CoordinationResult.Unknown} if it is no member, or perhaps was
   * done.
   */
  void standBack(long token);

  /**
   * Says that an incarnation of a node looks dead. Where that is found out otherwise only when its
   * session ends, it is no member from now on, until it announces itself again, which one that
   * lives does; it is the last then that would come to lead. No result. Nothing depends on it but
   * how soon another leads; where members cannot be away unnoticed it does nothing.
   */
  default void suspect(NodeId node, long incarnation) {}

  /** Asks for one {@link Event.KeyChanged} when the value changes next. */
  void watch(String key);

  /**
   * What other nodes and clients need to know of a node.
   *
   * @param address to reach it: {@code host:port}, empty where there is none
   * @param host a label that it shares with nodes that fail together with it; empty if it shares
   *     that with none
   * @param traits what kind of node it is: its engine decides about its copies (rule 23), nothing
   *     else depends on them but what people and provisioning are told
   */
  record MemberInfo(String address, String host, NodeTraits traits) {
    /** Of a node that is on a host of its own, and says nothing else. */
    public MemberInfo(String address) {
      this(address, "", NodeTraits.UNKNOWN);
    }
  }

  /** A live member. */
  record Member(NodeId node, long incarnation, MemberInfo info) {}
}
