package io.millrace.broker.internal.client;

/**
 * Where a session's client is.
 *
 * @param connection the connection
 * @param number what the client calls the session on this connection
 */
public record SessionLink(ClientConnection connection, int number) {}
