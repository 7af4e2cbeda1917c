/**
 * A client for tests that speaks frames and nothing more: read {@link io.millrace.broker.client.RawClient} first. One thread per client
 * reads; the test's thread writes and waits.
 */
@NullMarked
package io.millrace.broker.client;

import org.jspecify.annotations.NullMarked;
