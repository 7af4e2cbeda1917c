/** Tests of the metadata's records, state and decisions. */
@NullMarked
package io.millrace.coordinator.metadata;

import org.jspecify.annotations.NullMarked;
