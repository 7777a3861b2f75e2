package org.ecstore.junit;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.ecstore.client.EcStore;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * What {@link EcStoreTest} does. The store is kept with the context of the outermost class that has
 * the annotation, and closed behind it. Only such methods of JUnit as releases 5 and 6 have.
 */
final class EcStoreExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  /** Of the context of a test: the store that it has. */
  private static final String TURN = "turn";

  private static final Namespace NAMESPACE = Namespace.create(EcStoreExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == EcStore.class || type == TestCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ExtensionContext owner = owner(context);
    TestStore opened = opened(owner);
    return parameter.getParameter().getType() == EcStore.class
        ? opened.store()
        : opened
            .cluster()
            .orElseThrow(
                () ->
                    new ParameterResolutionException(
                        "%s has one node: a TestCluster is that of @EcStoreTest(nodes = 3)"
                            .formatted(owner.getRequiredTestClass().getSimpleName())));
  }

  @Override
  public void beforeEach(ExtensionContext context) throws InterruptedException {
    ExtensionContext owner = owner(context);
    TestStore opened = opened(owner);
    opened.begin();
    // Before it is emptied, which may fail: the turn of a test ends with it in any case.
    context.getStore(NAMESPACE).put(TURN, opened);
    opened.prepare(context.getUniqueId(), annotation(owner).keep());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    TestStore opened = context.getStore(NAMESPACE).remove(TURN, TestStore.class);
    if (opened != null) {
      context
          .getExecutionException()
          .ifPresent(
              failure -> opened.cluster().ifPresent(cluster -> tell(failure, cluster.story())));
      opened.end();
    }
  }

  /** With the failure, where every report shows it. */
  private static void tell(Throwable failure, String story) {
    failure.addSuppressed(new ClusterOfTest(story));
  }

  /**
   * A store that JUnit closes with the context of its class, also where the class could not be
   * instantiated and nothing is called behind it. By the former interface JUnit closes what it has
   * kept up to 5.12, by the latter since then.
   */
  @SuppressWarnings("deprecation")
  private record Kept(TestStore opened)
      implements ExtensionContext.Store.CloseableResource, AutoCloseable {
    @Override
    public void close() {
      opened.close();
    }
  }

  private static TestStore opened(ExtensionContext owner) {
    // One at a time: what is made for a context is made once.
    synchronized (EcStoreExtension.class) {
      ExtensionContext.Store kept = owner.getStore(NAMESPACE);
      Kept before = kept.get(Kept.class, Kept.class);
      if (before != null) {
        return before.opened();
      }
      TestStore opened = open(owner);
      kept.put(Kept.class, new Kept(opened));
      return opened;
    }
  }

  private static TestStore open(ExtensionContext owner) {
    EcStoreTest wanted = annotation(owner);
    if (wanted.nodes() < 1 || wanted.nodes() > EcStoreTest.NODES_MAX) {
      throw new ExtensionConfigurationException(
          "@EcStoreTest(nodes = %d) of %s: there are 1 to %d nodes in a test"
              .formatted(
                  wanted.nodes(),
                  owner.getRequiredTestClass().getSimpleName(),
                  EcStoreTest.NODES_MAX));
    }
    long seed =
        wanted.seed() == 0
            ? ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE)
            : wanted.seed();
    return TestStore.open(wanted.nodes(), seed);
  }

  /** The context of the outermost class with the annotation around what runs. */
  private static ExtensionContext owner(ExtensionContext context) {
    ExtensionContext owner = context;
    for (ExtensionContext at = context; at.getParent().isPresent(); at = at.getParent().get()) {
      boolean isClass = at.getTestClass().isPresent() && at.getTestMethod().isEmpty();
      if (isClass && found(at.getRequiredTestClass()).isPresent()) {
        owner = at;
      }
    }
    return owner;
  }

  private static EcStoreTest annotation(ExtensionContext owner) {
    return found(owner.getRequiredTestClass()).orElseThrow();
  }

  /** As JUnit finds it: also on an interface of the class, and on an annotation of its own. */
  private static Optional<EcStoreTest> found(Class<?> tests) {
    return AnnotationSupport.findAnnotation(tests, EcStoreTest.class);
  }

  /** Says what was done to the cluster of a test that failed; thrown nowhere. */
  private static final class ClusterOfTest extends Exception {
    private static final long serialVersionUID = 1L;

    ClusterOfTest(String story) {
      super(story, null, false, false);
    }
  }
}
