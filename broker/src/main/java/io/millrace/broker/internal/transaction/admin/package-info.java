/**
 * What operators see of transactions, and decide about them. Read {@link io.millrace.broker.internal.transaction.admin.TransactionAdmin} first.
 * Everything here may be called from any thread and waits for nothing.
 */
@NullMarked
package io.millrace.broker.internal.transaction.admin;

import org.jspecify.annotations.NullMarked;
