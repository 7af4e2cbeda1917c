package io.millrace.systemtests.planted.wire;

import io.millrace.systemtests.planted.log.Segment;

record KnowsLog(Segment segment) {}
