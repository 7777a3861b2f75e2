package org.ecstore.server;

import java.util.UUID;
import org.ecstore.server.coordination.CoordinationService;
import org.ecstore.server.ledger.LedgerService;
import org.ecstore.server.net.NetLoops;
import org.ecstore.txn.node.NodeParts;

/** What the nodes of one process share. */
public record Site(
    UUID cluster,
    ClusterSettings settings,
    LedgerService ledger,
    CoordinationService coordination,
    NetLoops loops,
    NodeParts parts) {}
