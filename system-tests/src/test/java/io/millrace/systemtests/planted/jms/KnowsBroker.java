package io.millrace.systemtests.planted.jms;

import io.millrace.systemtests.planted.broker.Visible;

record KnowsBroker(Visible broker) {}
