/**
 * Message selectors (Jakarta Messaging 3.1, section 3.8): the language, and whether a message is selected.
 *
 * <p>Read {@link io.millrace.coordinator.selector.Selector} first. {@code SelectorCompiler} turns what the parser found, which the build
 * makes from {@code Selector.g4}, into {@code Expression}s; {@link io.millrace.coordinator.selector.SelectedMessage} is what they look at,
 * and {@link io.millrace.coordinator.selector.RecordMessage} is that of a record.
 *
 * <p>Selectors are immutable and may be used by any thread.
 */
@NullMarked
package io.millrace.coordinator.selector;

import org.jspecify.annotations.NullMarked;
