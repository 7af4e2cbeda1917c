package io.millrace.systemtests.planted.broker;

public record Visible(int port) {}
