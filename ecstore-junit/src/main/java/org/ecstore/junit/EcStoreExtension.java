package org.ecstore.junit;

import org.ecstore.client.EcStore;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * What {@link EcStoreTest} does. The store is kept with the context of the outermost class that has
 * the annotation, and closed behind it. Only such methods of JUnit as releases 5 and 6 have.
 */
final class EcStoreExtension
    implements BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {
  /** Of the context of a test: the store that it has. */
  private static final String TURN = "turn";

  private static final Namespace NAMESPACE = Namespace.create(EcStoreExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == EcStore.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return opened(owner(context)).store();
  }

  @Override
  public void beforeEach(ExtensionContext context) throws InterruptedException {
    ExtensionContext owner = owner(context);
    TestStore opened = opened(owner);
    opened.begin();
    // Before it is emptied, which may fail: the turn of a test ends with it in any case.
    context.getStore(NAMESPACE).put(TURN, opened);
    opened.prepare(annotation(owner).keep());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    TestStore opened = context.getStore(NAMESPACE).remove(TURN, TestStore.class);
    if (opened != null) {
      opened.end();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (owner(context).getUniqueId().equals(context.getUniqueId())) {
      TestStore opened = context.getStore(NAMESPACE).remove(TestStore.class, TestStore.class);
      if (opened != null) {
        opened.close();
      }
    }
  }

  private static TestStore opened(ExtensionContext owner) {
    // One at a time: what is made for a context is made once.
    synchronized (EcStoreExtension.class) {
      ExtensionContext.Store kept = owner.getStore(NAMESPACE);
      TestStore opened = kept.get(TestStore.class, TestStore.class);
      if (opened == null) {
        opened = TestStore.open();
        kept.put(TestStore.class, opened);
      }
      return opened;
    }
  }

  /** The context of the outermost class with the annotation around what runs. */
  private static ExtensionContext owner(ExtensionContext context) {
    ExtensionContext owner = context;
    for (ExtensionContext at = context; at.getParent().isPresent(); at = at.getParent().get()) {
      boolean isClass = at.getTestClass().isPresent() && at.getTestMethod().isEmpty();
      if (isClass && at.getRequiredTestClass().isAnnotationPresent(EcStoreTest.class)) {
        owner = at;
      }
    }
    return owner;
  }

  private static EcStoreTest annotation(ExtensionContext owner) {
    return owner.getRequiredTestClass().getAnnotation(EcStoreTest.class);
  }
}
