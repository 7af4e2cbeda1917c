/**
 * A broker as others start it: read {@link io.millrace.broker.EmbeddedBroker} for programs and tests, {@link io.millrace.broker.Broker}
 * for what runs, and {@link io.millrace.broker.BrokerAssembly} for how it is put together.
 *
 * <p>Starting and closing block the caller; everything else here may be called from any thread.
 */
@NullMarked
package io.millrace.broker;

import org.jspecify.annotations.NullMarked;
