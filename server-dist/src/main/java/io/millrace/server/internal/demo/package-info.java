/**
 * {@code millrace demo}: a broker in a process of its own, JMS programs against it, and a kill -9 in the middle. Read
 * {@link io.millrace.server.internal.demo.Demo} first. Runs on the command's own thread, with JMS listeners on theirs.
 */
@NullMarked
package io.millrace.server.internal.demo;

import org.jspecify.annotations.NullMarked;
