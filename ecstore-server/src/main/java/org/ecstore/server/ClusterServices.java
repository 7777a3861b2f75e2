package org.ecstore.server;

import java.util.Optional;
import java.util.UUID;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.server.coordination.CoordinationService;
import org.ecstore.server.ledger.LedgerService;
import org.ecstore.server.net.NetLoops;
import org.ecstore.txn.node.NodeParts;

/**
 * What the nodes of one process share.
 *
 * @param secret of the cluster; absent where its nodes meet no others
 */
public record ClusterServices(
    UUID cluster,
    Optional<ClusterSecret> secret,
    ClusterSettings settings,
    LedgerService ledger,
    CoordinationService coordination,
    NetLoops loops,
    NodeParts parts) {}
