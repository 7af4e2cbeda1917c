/**
 * What clients did to a broker, written down, and the checker that says whether the broker kept its promises. Read
 * {@link io.millrace.testkit.history.History} first. {@code History} takes notes from any thread; the checker runs
 * afterwards on one.
 */
@NullMarked
package io.millrace.testkit.history;

import org.jspecify.annotations.NullMarked;
