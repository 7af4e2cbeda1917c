/**
 * What a Kafka client needs to be allowed to do for each request, in one place: {@link io.millrace.broker.internal.kafka.security.AccessRules}
 * has the table. A rule refuses a request, or takes out of it what is forbidden and puts errors for that into the answer, so that handlers
 * know nothing of it. On the connection's loop; what a rule does with the answer, on the thread that answers.
 */
@NullMarked
package io.millrace.broker.internal.kafka.security;

import org.jspecify.annotations.NullMarked;
