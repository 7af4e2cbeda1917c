package io.millrace.systemtests.planted.log;

import java.io.File;

record KnowsFile(File file) {}
