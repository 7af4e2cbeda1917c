/**
 * The program: {@link io.millrace.server.Main} is what {@code bin/millrace} starts. Only this module parses files and
 * arguments and has a {@code main}.
 */
@NullMarked
package io.millrace.server;

import org.jspecify.annotations.NullMarked;
