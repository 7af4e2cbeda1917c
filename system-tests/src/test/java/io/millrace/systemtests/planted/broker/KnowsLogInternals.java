package io.millrace.systemtests.planted.broker;

import io.millrace.systemtests.planted.log.internal.disk.Hidden;

record KnowsLogInternals(Hidden hidden) {}
