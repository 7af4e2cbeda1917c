/**
 * The Jakarta Messaging client: what applications name in their code and configuration. Everything else they see through the
 * interfaces of {@code jakarta.jms}.
 *
 * <p>Destinations are {@link io.millrace.jms.MillraceQueue} and {@link io.millrace.jms.MillraceTopic}: values, safe for all threads.
 */
@NullMarked
package io.millrace.jms;

import org.jspecify.annotations.NullMarked;
