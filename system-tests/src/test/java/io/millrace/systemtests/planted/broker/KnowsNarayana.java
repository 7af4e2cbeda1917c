package io.millrace.systemtests.planted.broker;

import com.arjuna.ats.arjuna.common.Uid;

record KnowsNarayana(Uid uid) {}
