/**
 * The Java API: a store, its sessions, transactions, snapshots and typed tables. It begins with
 * {@link org.ecstore.client.EcStore#connect(String)}.
 *
 * <p>{@code import org.ecstore.client.*} is not all that an application needs. Keys are in {@code
 * org.ecstore.key}, levels and isolation in {@code org.ecstore.model}, exceptions in {@code
 * org.ecstore.client.error}: nodes speak of the same without this library.
 *
 * <table>
 *   <caption>What an application meets that is not in this package</caption>
 *   <tr><td>{@link org.ecstore.key.Tuple}</td><td>a key</td></tr>
 *   <tr><td>{@link org.ecstore.key.Bytes}</td><td>a value of {@code Codec.bytes()}</td></tr>
 *   <tr><td>{@link org.ecstore.model.ReadLevel}</td><td>how fresh a snapshot is</td></tr>
 *   <tr><td>{@link org.ecstore.model.Isolation}</td><td>what a commit validates</td></tr>
 *   <tr><td>{@link org.ecstore.model.Quorum}</td><td>how many copies take part</td></tr>
 *   <tr><td>{@link org.ecstore.model.objective.Objective}</td><td>what an application needs</td></tr>
 *   <tr><td>{@link org.ecstore.model.NodeTraits}</td><td>what kind of node a node is</td></tr>
 *   <tr><td>{@link org.ecstore.id.Position}</td><td>the number of a commit</td></tr>
 *   <tr><td>{@link org.ecstore.client.copies.AnsweredBy}</td><td>which copy answered</td></tr>
 *   <tr><td>{@link org.ecstore.client.error.EcStoreException}</td><td>what went wrong</td></tr>
 * </table>
 *
 * <p>Whatever a method of the library throws by itself is an {@link
 * org.ecstore.client.error.EcStoreException}, but for what Java's contracts ask for: {@link
 * NullPointerException} for null, and {@link java.util.NoSuchElementException} of an iterator at
 * its end. The same holds for keys, levels and serializers: {@link org.ecstore.key.Tuple}, {@link
 * org.ecstore.model.ReadLevel}, {@link org.ecstore.client.kryo.BoundedKryo}. Ids are made by the
 * store and not by applications. What the caller's own work, codec or executor throws comes through
 * as it is. A bug of the library is an {@link IllegalStateException}.
 */
@NullMarked
package org.ecstore.client;

import org.jspecify.annotations.NullMarked;
