/** The store on RocksDB, within the node's process (decision 0051). */
@NullMarked
package org.ecstore.engines.rocksdb;

import org.jspecify.annotations.NullMarked;
