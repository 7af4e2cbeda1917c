/**
 * Commits driven by Narayana, a transaction manager. Read {@link
 * io.millrace.broker.internal.transaction.narayana.NarayanaCommitEngine} first; why it is so stands in docs/adr/0010.
 *
 * <p>Each commit runs on a virtual thread of its own and has its steps done on the coordinator's shard. The classes that know Narayana are in
 * the package {@code isolated}, which a class loader of its own has ({@link io.millrace.broker.internal.transaction.narayana.IsolatedClasses}).
 */
@NullMarked
package io.millrace.broker.internal.transaction.narayana;

import org.jspecify.annotations.NullMarked;
