package io.millrace.broker.config;

import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigType;
import java.util.List;

/** How messages come again that were delivered and not acknowledged. Each can be set for a destination under the same name. */
public final class RedeliveryKeys {

    public static final ConfigKey<Long> DELAY_MS = ConfigKey.ofLong("redelivery.delay.ms")
            .withDefault(0L)
            .atLeast(0)
            .perDestination("redelivery.delay.ms")
            .describedAs(
                    "How long a message rests that came back after its first delivery, by a rollback, recover(), a listener that"
                            + " failed, or a consumer that was lost, in milliseconds. Meanwhile later messages are delivered. With 0 it is"
                            + " delivered again at once, in its place, as the specification of JMS has it.");

    public static final ConfigKey<Double> MULTIPLIER = ConfigKey.of("redelivery.delay.multiplier", ConfigType.DOUBLE)
            .withDefault(2.0)
            .mustBe("from 1 to 1000", value -> value >= 1 && value <= 1000)
            .perDestination("redelivery.delay.multiplier")
            .describedAs(
                    "How many times as long a message rests after each further delivery. 1 for rests of equal length.");

    public static final ConfigKey<Long> MAX_DELAY_MS = ConfigKey.ofLong("redelivery.delay.max.ms")
            .withDefault(300_000L)
            .atLeast(0)
            .perDestination("redelivery.delay.max.ms")
            .describedAs(
                    "The longest rest of a message that came back, in milliseconds, but for redelivery.delay.jitter.");

    public static final ConfigKey<Double> JITTER = ConfigKey.of("redelivery.delay.jitter", ConfigType.DOUBLE)
            .withDefault(0.15)
            .mustBe("from 0 to 1", value -> value >= 0 && value <= 1)
            .perDestination("redelivery.delay.jitter")
            .describedAs(
                    "By which part of itself a rest is longer or shorter at most, so that messages that came back together"
                            + " do not all come again together.");

    /** All of them, in the order of the documentation. */
    public static final List<ConfigKey<?>> ALL = List.of(DELAY_MS, MULTIPLIER, MAX_DELAY_MS, JITTER);

    private RedeliveryKeys() {}
}
