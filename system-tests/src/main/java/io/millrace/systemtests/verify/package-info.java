/**
 * Programs that hurt a real broker in a process of its own while real clients use it, and check what the clients saw. Read
 * {@link io.millrace.systemtests.verify.KillScenario} first. Each client runs on a thread of its own.
 */
@NullMarked
package io.millrace.systemtests.verify;

import org.jspecify.annotations.NullMarked;
