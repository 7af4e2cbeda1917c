/**
 * What extends Narayana's classes. Read {@link io.millrace.broker.internal.transaction.narayana.isolated.NarayanaTwoPhases} first.
 *
 * <p>Nobody refers to these classes: they are loaded by name, with Narayana's, in a class loader of their own. They run on the threads of
 * commits, and are safe for many at a time.
 */
@NullMarked
package io.millrace.broker.internal.transaction.narayana.isolated;

import org.jspecify.annotations.NullMarked;
