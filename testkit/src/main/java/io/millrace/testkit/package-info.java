/**
 * Fakes that stand in for clocks, disks and networks, and checks that tests share. Read
 * {@link io.millrace.testkit.FakeTimeSource} first.
 *
 * <p>Not shipped. Fakes are stepped by the test's own thread; one that may be read from other threads says so.
 */
@NullMarked
package io.millrace.testkit;

import org.jspecify.annotations.NullMarked;
