/**
 * Decisions, as state machines: what is true in the cluster ({@link io.millrace.coordinator.metadata}), how that truth is
 * replicated ({@link io.millrace.coordinator.quorum}), and who may use what ({@link io.millrace.coordinator.claims}).
 *
 * <p>This package itself holds only what these parts share.
 */
@NullMarked
package io.millrace.coordinator;

import org.jspecify.annotations.NullMarked;
