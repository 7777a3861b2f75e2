package org.ecstore.cluster.process;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.secret.ClusterSecret;

/** Asks the nodes that run, one after the other, until one of them has the steward's answer. */
final class StewardLine {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(3);

  private final ClusterFiles files;
  private final ClusterEyes eyes;
  private final NodeProbe probe;

  StewardLine(ClusterFiles files, ClusterEyes eyes, NodeProbe probe) {
    this.files = files;
    this.eyes = eyes;
    this.probe = probe;
  }

  /**
   * The answer. The steward may hear the request several times.
   *
   * @param secret that proves the request to be an operator's
   * @throws StewardSilentException if no node has it; it says why
   * @throws ProcessClusterException if none runs
   */
  <T extends ClientReply> T ask(
      ClientRequest request, Class<T> kind, Optional<ClusterSecret> secret) throws IOException {
    String why = "";
    for (int node : files.nodes()) {
      Optional<OwnProcess> process = eyes.process(node);
      if (process.isPresent() && !process.get().isPaused()) {
        Optional<ClientReply> reply =
            probe.ask(files.address(node), request, secret, ANSWER_WITHIN).join();
        if (reply.isPresent() && kind.isInstance(reply.get())) {
          return kind.cast(reply.get());
        }
        if (reply.isPresent()
            && reply.get() instanceof ClientReply.Refused(var code, var detail, var _)
            && code == RefusalCode.BAD_REQUEST) {
          throw new ProcessClusterException(detail);
        }
        why =
            reply.isPresent() && reply.get() instanceof ClientReply.Refused refused
                ? refused.detail()
                : "node " + node + " does not answer";
      }
    }
    if (why.isEmpty()) {
      throw new ProcessClusterException("the steward is not reached: no node runs");
    }
    throw new StewardSilentException("the steward is not reached: " + why);
  }
}
