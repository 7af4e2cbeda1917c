package io.millrace.systemtests.planted.stray;

record Stray(String module) {}
