/**
 * What clients of the native protocol do in transactions: which transactions a session has, what is under way in them, and how they end.
 *
 * <p>Read {@link io.millrace.broker.internal.transaction.client.ClientTransactions} first, then {@link
 * io.millrace.broker.internal.transaction.client.TransactionWork}, which counts what is under way. Everything here may be called from any thread
 * and waits for nothing.
 */
@NullMarked
package io.millrace.broker.internal.transaction.client;

import org.jspecify.annotations.NullMarked;
