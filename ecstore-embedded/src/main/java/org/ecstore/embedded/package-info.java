/**
 * What {@code EcStore.open} needs beside the client: the node itself, and a way to run it on
 * another Java where the application's is too old for it.
 */
@NullMarked
package org.ecstore.embedded;

import org.jspecify.annotations.NullMarked;
