/**
 * What the handlers of administrative requests share: commands to the metadata, settings as Kafka describes them, and answers made of
 * many parts. Read {@link io.millrace.broker.internal.kafka.admin.AdminServices} first. From any thread.
 */
@NullMarked
package io.millrace.broker.internal.kafka.admin;

import org.jspecify.annotations.NullMarked;
