/**
 * Client quotas: how much clients may send, fetch and ask for. Read {@link io.millrace.broker.internal.kafka.quota.ClientQuotas} first. Limits are
 * those of the metadata; who is over one is told so in the answer, and not read for a while. From any thread.
 */
@NullMarked
package io.millrace.broker.internal.kafka.quota;

import org.jspecify.annotations.NullMarked;
