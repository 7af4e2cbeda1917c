/**
 * The URL of a connection factory and its options. Read {@link io.millrace.jms.internal.options.Option} first: it lists them. {@link
 * io.millrace.jms.internal.options.ServiceUrl} is mutable and confined to its factory; the rest are values.
 */
@NullMarked
package io.millrace.jms.internal.options;

import org.jspecify.annotations.NullMarked;
