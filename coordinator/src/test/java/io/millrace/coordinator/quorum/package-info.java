/** Tests of the metadata quorum. */
@NullMarked
package io.millrace.coordinator.quorum;

import org.jspecify.annotations.NullMarked;
