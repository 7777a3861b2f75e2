package org.ecstore.bench.peer;

import org.ecstore.cluster.database.MavenArtifacts;

/**
 * Too slow for each build: run by its name, where the artifact was fetched or can be. Scans are in
 * the order of keys only where Cassandra stores them so.
 */
class CassandraContract extends PeerContract {
  CassandraContract() {
    super("cassandra-ordered");
  }

  @Override
  MavenArtifacts artifacts() {
    return new MavenArtifacts(MavenArtifacts.usualDirectory(), _ -> {});
  }
}
