package io.millrace.systemtests.planted.broker;

import io.millrace.systemtests.planted.broker.internal.transaction.narayana.isolated.Isolated;

record NamesIsolated(Isolated isolated) {}
