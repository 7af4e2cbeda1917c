/**
 * The rules of the architecture that the compiler cannot hold: which module may know which, and what code may call.
 *
 * <p>Read {@link io.millrace.systemtests.architecture.ArchitectureTest} first: it applies the rules to the shipped classes. Each rule is
 * also shown to fail, in {@link io.millrace.systemtests.architecture.RulesFindViolationsTest}, on classes planted for that purpose in
 * {@code io.millrace.systemtests.planted}; so a rule takes the root package that it looks at.
 */
@NullMarked
package io.millrace.systemtests.architecture;

import org.jspecify.annotations.NullMarked;
