/**
 * Nodes in production: wired in a process of their own, several in one, or one in an application.
 */
@NullMarked
package org.ecstore.server;

import org.jspecify.annotations.NullMarked;
