package io.millrace.systemtests.planted.broker;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;

final class BrokerAssembly {

    private BrokerAssembly() {}

    static RandomGenerator chance() {
        return new SecureRandom();
    }
}
