package io.millrace.systemtests.planted.broker.internal.transaction.narayana.isolated;

import com.arjuna.ats.arjuna.common.Uid;

public record Isolated(Uid uid) {}
