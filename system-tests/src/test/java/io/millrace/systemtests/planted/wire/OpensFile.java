package io.millrace.systemtests.planted.wire;

import java.nio.file.Path;

record OpensFile(Path path) {}
