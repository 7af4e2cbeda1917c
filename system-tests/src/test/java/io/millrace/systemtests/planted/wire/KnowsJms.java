package io.millrace.systemtests.planted.wire;

import jakarta.jms.Message;

record KnowsJms(Message message) {}
