package org.ecstore.embedded;

import java.nio.file.Path;
import org.ecstore.client.EcStore;
import org.ecstore.client.error.EcStoreException;

/** A program that opens a store in the directory it is given, and says how that went. */
final class OpensAStore {
  private OpensAStore() {}

  public static void main(String[] arguments) {
    try (EcStore store = EcStore.open(Path.of(arguments[0]))) {
      System.out.println("open " + store.session().token().isEmpty());
    } catch (EcStoreException e) {
      System.out.println(e.text());
    }
  }
}
