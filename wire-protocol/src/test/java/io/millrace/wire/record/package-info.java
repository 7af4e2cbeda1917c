/** Tests of the record batch codec; {@code KafkaCompatibilityTest} is the one to read first. */
@NullMarked
package io.millrace.wire.record;

import org.jspecify.annotations.NullMarked;
