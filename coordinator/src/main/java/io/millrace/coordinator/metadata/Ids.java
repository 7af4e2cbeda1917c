package io.millrace.coordinator.metadata;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** Makes identities from the injected randomness, so that a simulation under a seed makes the same ones. */
final class Ids {

    /** Stands for no identity. */
    static final UUID NONE = new UUID(0, 0);

    private static final long VERSION_MASK = 0xf000L;
    private static final long VERSION_4 = 0x4000L;
    private static final long VARIANT_MASK = 0xc000_0000_0000_0000L;
    private static final long VARIANT_RFC_9562 = 0x8000_0000_0000_0000L;

    private Ids() {}

    static UUID random(RandomGenerator random) {
        return new UUID(
                (random.nextLong() & ~VERSION_MASK) | VERSION_4,
                (random.nextLong() & ~VARIANT_MASK) | VARIANT_RFC_9562);
    }
}
