/**
 * A disk in memory that loses what was not forced. Read {@link io.millrace.testkit.disk.FakeDisk} first; the code under
 * test sees an ordinary {@link java.nio.file.Path}. Safe for use by several threads.
 */
@NullMarked
package io.millrace.testkit.disk;

import org.jspecify.annotations.NullMarked;
