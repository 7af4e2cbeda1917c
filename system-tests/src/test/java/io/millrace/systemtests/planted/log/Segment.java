package io.millrace.systemtests.planted.log;

public record Segment(long baseOffset) {}
