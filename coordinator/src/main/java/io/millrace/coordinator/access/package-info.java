/**
 * Who may log in, what they may do, and how much of it: the values that the metadata keeps of users, ACLs and quotas. Read
 * {@link io.millrace.coordinator.access.AclEntry} first.
 *
 * <p>Only values, immutable and usable from any thread; nothing here checks a password or a right. Codes and names are Kafka's, since
 * its tools are what sets them.
 */
@NullMarked
package io.millrace.coordinator.access;

import org.jspecify.annotations.NullMarked;
