/**
 * Looks at a queue without consuming: {@link BrowserEnumeration} goes through the pages of all partitions, which {@link PartitionPages} fetches when
 * they are wanted. On the application's thread.
 */
@NullMarked
package io.millrace.jms.internal.browse;

import org.jspecify.annotations.NullMarked;
