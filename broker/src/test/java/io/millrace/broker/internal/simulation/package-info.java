/**
 * A whole broker but for its sockets, with clients that do transactions, in one thread under a seed. Read {@code BrokerSimulation} first.
 * What runs it is a test, on the test's thread.
 */
@NullMarked
package io.millrace.broker.internal.simulation;

import org.jspecify.annotations.NullMarked;
