package org.ecstore.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a class of tests a store of its own: one node, in a directory that is deleted behind it,
 * without a port; or a cluster of several that a test kills, pauses and cuts off. Each test finds
 * it empty.
 *
 * <pre>{@code
 * @EcStoreTest
 * class CartsTest {
 *   static final Table<String> CARTS = Table.of("carts", Codec.utf8());
 *
 *   @Test
 *   void aCartIsFoundAgain(EcStore store) {
 *     store.execute(tx -> tx.put(CARTS, Tuple.of("alice"), "apples"));
 *     assertTrue(store.<Boolean, RuntimeException>read(at -> at.exists(CARTS, Tuple.of("alice"))));
 *   }
 * }
 * }</pre>
 *
 * <p>With {@link #nodes} the store is a cluster in the process of the test, whose nodes have ports
 * on the loopback address, and a parameter of type {@link TestCluster} is the way to its faults:
 *
 * <pre>{@code
 * @EcStoreTest(nodes = 3, seed = 7)
 * class CartsUnderFaultsTest {
 *   @Test
 *   void aCartSurvivesTheNodeThatLeads(EcStore store, TestCluster cluster) {
 *     store.execute(tx -> tx.put(CARTS, Tuple.of("alice"), "apples"));
 *     cluster.kill(cluster.sequencer());
 *     store.execute(tx -> tx.put(CARTS, Tuple.of("bob"), "pears"));
 *   }
 * }
 * }</pre>
 *
 * <p>What a test has done to its cluster, and the seed, are said with the failure of a test, as an
 * exception that it suppressed.
 *
 * <p>The store is opened with the first test, which takes about a second, a cluster some more, and
 * is that of nested classes too. Tests that use it run one at a time, also where JUnit runs methods
 * in parallel; classes have stores of their own, and may run at once. A parameter of type {@link
 * org.ecstore.client.EcStore} of a test, of what runs before and after it, or of the constructor is
 * the store.
 *
 * <p>Nodes need Java 25: on 17 to 24 {@code ecstore-embedded} finds one on this machine, and has
 * the nodes run on it as a process beside this one, or the test fails and says so. JUnit is that of
 * the application, 5.8 or later.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(EcStoreExtension.class)
public @interface EcStoreTest {
  /** Whether a test finds what those before it have left, as where their order is given. */
  boolean keep() default false;

  /** How many nodes the store has: 1, or a cluster of up to {@value #NODES_MAX}. */
  int nodes() default 1;

  /**
   * What is drawn by a {@link TestCluster} is drawn from this; 0 for another one in each run, which
   * a test that fails says.
   */
  long seed() default 0;

  /** Each node has an engine and threads of its own: more than a test's machine should have. */
  int NODES_MAX = 7;
}
