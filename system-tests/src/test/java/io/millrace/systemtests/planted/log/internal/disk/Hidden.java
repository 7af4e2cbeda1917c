package io.millrace.systemtests.planted.log.internal.disk;

public record Hidden(int fileDescriptor) {}
