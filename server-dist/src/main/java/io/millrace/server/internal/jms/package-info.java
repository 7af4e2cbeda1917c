/**
 * What the commands and the demo share of JMS: sends that are not waited for one by one. Read
 * {@link io.millrace.server.internal.jms.OutstandingSends} first.
 */
@NullMarked
package io.millrace.server.internal.jms;

import org.jspecify.annotations.NullMarked;
