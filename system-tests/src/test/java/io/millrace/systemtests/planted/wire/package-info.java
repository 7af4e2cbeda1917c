/** Planted: breaks the rules of the protocol module. */
@NullMarked
package io.millrace.systemtests.planted.wire;

import org.jspecify.annotations.NullMarked;
