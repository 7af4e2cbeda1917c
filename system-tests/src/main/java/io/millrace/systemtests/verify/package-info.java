/**
 * Programs that hurt a real broker in a process of its own while real clients use it, and check what the clients saw. Read
 * {@link io.millrace.systemtests.verify.Trial} first, then {@link io.millrace.systemtests.verify.Load}, and
 * {@link io.millrace.systemtests.verify.Fault} to add one. A trial runs on the thread that starts it; each client runs on a thread of its
 * own, in this process or, where it is to be hurt itself, in another one.
 *
 * <p>Transactions have a trial of their own, {@link io.millrace.systemtests.verify.TransferTrial}, which hurts programs and a database too.
 */
@NullMarked
package io.millrace.systemtests.verify;

import org.jspecify.annotations.NullMarked;
