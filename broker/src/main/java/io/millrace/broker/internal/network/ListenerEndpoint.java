package io.millrace.broker.internal.network;

import io.millrace.broker.config.ListenerAddress;
import io.millrace.broker.internal.security.ListenerAccess;

/**
 * Where to listen, and how clients are let in there.
 *
 * @param address with port 0 for a free one
 */
public record ListenerEndpoint(ListenerAddress address, ListenerAccess access) {}
