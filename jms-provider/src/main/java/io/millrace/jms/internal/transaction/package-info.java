/**
 * The transactions of a transacted session: what is sent and received in them, and how they end, also when the connection is lost meanwhile.
 *
 * <p>Read {@link io.millrace.jms.internal.transaction.SessionTransactions} first. Confined to the loop, except where it says otherwise.
 */
@NullMarked
package io.millrace.jms.internal.transaction;

import org.jspecify.annotations.NullMarked;
