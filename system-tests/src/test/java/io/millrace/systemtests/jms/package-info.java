/**
 * The JMS client against a real broker in the same process. Read {@code SendAndReceiveTest} first.
 */
@NullMarked
package io.millrace.systemtests.jms;

import org.jspecify.annotations.NullMarked;
