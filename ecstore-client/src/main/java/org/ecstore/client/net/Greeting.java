package org.ecstore.client.net;

import java.util.Optional;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.CorrelatedRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.protocol.RequestOptions;

/**
 * What a client says of itself on each connection.
 *
 * @param versions of the protocol, that it speaks
 * @param application whose requests it sends
 */
record Greeting(ProtocolVersions versions, Optional<String> application) {
  private static final String LANGUAGE = "java";

  /** The same client, of another application. */
  Greeting of(String name) {
    return new Greeting(versions, Optional.of(name));
  }

  CorrelatedRequest request(long correlation) {
    return new CorrelatedRequest(
        correlation,
        new ClientRequest.Hello(versions, LANGUAGE),
        new RequestOptions(application, Optional.empty(), Optional.empty()));
  }
}
