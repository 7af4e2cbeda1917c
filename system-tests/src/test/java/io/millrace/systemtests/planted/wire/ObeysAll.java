package io.millrace.systemtests.planted.wire;

record ObeysAll(long offset) {}
