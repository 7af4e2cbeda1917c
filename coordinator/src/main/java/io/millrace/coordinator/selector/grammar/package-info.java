/**
 * Lexer and parser of message selectors, made from {@code Selector.g4} by the build. Only {@link io.millrace.coordinator.selector} uses
 * them; each call makes its own, on any thread.
 */
@NullMarked
package io.millrace.coordinator.selector.grammar;

import org.jspecify.annotations.NullMarked;
