package io.millrace.systemtests.planted.broker;

import io.micrometer.core.instrument.MeterRegistry;

record KnowsMicrometer(MeterRegistry registry) {}
