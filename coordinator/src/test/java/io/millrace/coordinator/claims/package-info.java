/** Tests of the claims. */
@NullMarked
package io.millrace.coordinator.claims;

import org.jspecify.annotations.NullMarked;
