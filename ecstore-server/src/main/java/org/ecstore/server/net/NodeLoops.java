package org.ecstore.server.net;

import io.netty.channel.EventLoopGroup;
import org.ecstore.server.loop.SideWork;

/** Where the network work of one node is done: see {@link NetLoops}. */
public final class NodeLoops {
  private final EventLoopGroup group;
  private final SideWork sideWork;

  NodeLoops(EventLoopGroup group, SideWork sideWork) {
    this.group = group;
    this.sideWork = sideWork;
  }

  EventLoopGroup group() {
    return group;
  }

  /**
   * The part of it that the node's event loop has to do; it must have begun before the node
   * listens.
   */
  public SideWork sideWork() {
    return sideWork;
  }
}
