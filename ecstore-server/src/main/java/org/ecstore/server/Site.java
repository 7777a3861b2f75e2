package org.ecstore.server;

import java.util.UUID;
import org.ecstore.server.coordination.LocalCoordination;
import org.ecstore.server.ledger.LocalLedgerStore;
import org.ecstore.server.net.NetLoops;
import org.ecstore.txn.node.NodeParts;

/** What the nodes of one process share. */
record Site(
    UUID cluster,
    ClusterSettings settings,
    LocalLedgerStore ledger,
    LocalCoordination coordination,
    NetLoops loops,
    NodeParts parts) {}
