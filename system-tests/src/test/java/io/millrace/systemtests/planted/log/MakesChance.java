package io.millrace.systemtests.planted.log;

import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

final class MakesChance {

    private MakesChance() {}

    static Random creates() {
        return new Random(1);
    }

    static SecureRandom createsSecure() {
        return new SecureRandom();
    }

    static double asksMath() {
        return Math.random();
    }

    static int asksThread() {
        return ThreadLocalRandom.current().nextInt();
    }

    static UUID makesId() {
        return UUID.randomUUID();
    }

    static RandomGenerator asksDefault() {
        return RandomGenerator.getDefault();
    }

    static void shufflesAnyhow(List<String> list) {
        Collections.shuffle(list);
    }

    static int takesFromOutside(RandomGenerator random) {
        return random.nextInt();
    }
}
