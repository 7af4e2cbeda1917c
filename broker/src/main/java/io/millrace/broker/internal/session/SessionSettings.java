package io.millrace.broker.internal.session;

/**
 * Limits and times of sessions.
 *
 * @param graceMs how long a session outlives its connection
 * @param maxSessions sessions of one connection
 * @param maxConsumers consumers of one session, counted once per partition
 */
public record SessionSettings(int graceMs, int maxSessions, int maxConsumers) {}
