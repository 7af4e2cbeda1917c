/** The {@code millrace} script at the root of the repository, run in a small project with a Maven that only writes down its arguments. */
@NullMarked
package io.millrace.systemtests.script;

import org.jspecify.annotations.NullMarked;
