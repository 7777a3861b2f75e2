package org.ecstore.spring.boot;

import org.ecstore.client.EcStoreOptions;

/** A bean that changes a store's options further than the properties do. */
@FunctionalInterface
public interface EcStoreOptionsCustomizer {
  /** The options to take, made of those that the properties and the beans before it have set. */
  EcStoreOptions customize(EcStoreOptions options);
}
