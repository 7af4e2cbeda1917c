/**
 * What happens to a message between send and the server's answer, so that it is stored exactly once and in order.
 *
 * <p>Read {@code PartitionSender} first: it packs messages into batches, numbers them, and repeats them until they are answered; {@link
 * io.millrace.jms.internal.producer.Senders} has one for each partition that is sent to. All of it is confined to the loop, except {@link io.millrace.jms.internal.producer.SendBudget}, where the
 * threads of the application wait when too much is on its way.
 */
@NullMarked
package io.millrace.jms.internal.producer;

import org.jspecify.annotations.NullMarked;
