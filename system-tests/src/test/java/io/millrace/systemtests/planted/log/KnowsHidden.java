package io.millrace.systemtests.planted.log;

import io.millrace.systemtests.planted.log.internal.disk.Hidden;

record KnowsHidden(Hidden hidden) {}
