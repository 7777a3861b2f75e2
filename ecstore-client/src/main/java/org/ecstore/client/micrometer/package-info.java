/**
 * Metrics and traces of a store by Micrometer. The application brings Micrometer: without it these
 * classes cannot be used, and nothing else of the client is missing.
 */
@NullMarked
package org.ecstore.client.micrometer;

import org.jspecify.annotations.NullMarked;
