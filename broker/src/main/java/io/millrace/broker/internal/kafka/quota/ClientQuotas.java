package io.millrace.broker.internal.kafka.quota;

import io.millrace.broker.internal.kafka.quota.QuotaLimits.Counted;
import io.millrace.broker.internal.kafka.quota.QuotaLimits.Limit;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.wire.time.TimeSource;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * What clients have used of their quotas. Only who has a limit is counted. From any thread.
 *
 * <p>Client ids are whatever clients say, so that there may be any number of them under a default limit: those that were not heard of for a
 * while are forgotten, and beyond {@value #MOST_COUNTED} all further ones are counted together.
 */
public final class ClientQuotas {

    private static final int MOST_COUNTED = 20_000;
    private static final String OTHERS = "\0others";

    private final Supplier<MetadataImage> image;
    private final TimeSource time;
    private final int samples;
    private final long sampleNs;
    private final ConcurrentHashMap<Counted, RateWindow> rates = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Counted, TokenBucket> buckets = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, RateWindow> addresses = new ConcurrentHashMap<>();

    /**
     * Creates empty counts.
     *
     * @param image where the limits are
     * @param samples over how many samples of time rates are measured
     * @param sampleSeconds length of each
     */
    public ClientQuotas(Supplier<MetadataImage> image, TimeSource time, int samples, int sampleSeconds) {
        this.image = image;
        this.time = time;
        this.samples = samples;
        this.sampleNs = TimeUnit.SECONDS.toNanos(sampleSeconds);
    }

    /**
     * Counts what a client used of a rate.
     *
     * @param user without {@code User:}
     * @return for how long it should be quiet, in ms; 0 if it is not over its limit
     */
    public long use(QuotaKey key, String user, String clientId, double amount) {
        Optional<Limit> found = QuotaLimits.find(image.get(), key, user, clientId);
        if (found.isEmpty()) {
            return 0;
        }
        Limit limit = found.get();
        long nowNs = time.nanoTime();
        RateWindow window = counted(
                rates,
                limit.counted(),
                others(limit),
                () -> new RateWindow(samples, sampleNs, nowNs),
                RateWindow::lastUsedNs,
                nowNs);
        double rate = window.add(amount, nowNs);
        long throttleMs = throttleMs(rate, limit.perSecond());
        // As with Kafka, who uses too much of the processor waits for one sample at most.
        return key == QuotaKey.REQUEST_PERCENTAGE
                ? Math.min(throttleMs, TimeUnit.NANOSECONDS.toMillis(sampleNs))
                : throttleMs;
    }

    /** After so long a rest the rate over all samples is the limit. */
    private long throttleMs(double rate, double limit) {
        if (rate <= limit) {
            return 0;
        }
        long windowMs = TimeUnit.NANOSECONDS.toMillis(sampleNs * Math.max(1, samples - 1));
        return Math.min((long) Math.ceil((rate - limit) / limit * windowMs), Integer.MAX_VALUE);
    }

    /** Returns whether a client has a limit. */
    public boolean isLimited(QuotaKey key, String user, String clientId) {
        return QuotaLimits.find(image.get(), key, user, clientId).isPresent();
    }

    /** Returns how much a client may use of a rate in all samples together; {@link Long#MAX_VALUE} if it has no limit. */
    public long mostAtOnce(QuotaKey key, String user, String clientId) {
        return QuotaLimits.find(image.get(), key, user, clientId)
                .map(limit -> (long) Math.min(limit.perSecond() * samples * (sampleNs / 1e9), Long.MAX_VALUE - 1.0))
                .orElse(Long.MAX_VALUE);
    }

    /**
     * Counts changes of topics and partitions.
     *
     * @param strict whether changes are refused when a client has used up what it may
     * @return whether the client may make them
     */
    public boolean change(String user, String clientId, int partitions, boolean strict) {
        Optional<Limit> limit = QuotaLimits.find(image.get(), QuotaKey.CONTROLLER_MUTATION_RATE, user, clientId);
        if (limit.isEmpty()) {
            return true;
        }
        long nowNs = time.nanoTime();
        TokenBucket bucket = bucket(limit.get(), nowNs);
        if (strict) {
            return bucket.take(partitions, limit.get().perSecond(), nowNs);
        }
        bucket.force(partitions, limit.get().perSecond(), nowNs);
        return true;
    }

    /** Returns for how long a client should make no further changes, in ms. */
    public long changeWaitMs(String user, String clientId) {
        return QuotaLimits.find(image.get(), QuotaKey.CONTROLLER_MUTATION_RATE, user, clientId)
                .map(limit -> bucket(limit, time.nanoTime()).waitMs(limit.perSecond(), time.nanoTime()))
                .orElse(0L);
    }

    private TokenBucket bucket(Limit limit, long nowNs) {
        double burstSeconds = samples * (sampleNs / 1e9);
        return counted(
                buckets,
                limit.counted(),
                others(limit),
                () -> new TokenBucket(limit.perSecond(), burstSeconds, nowNs),
                TokenBucket::lastUsedNs,
                nowNs);
    }

    /**
     * Counts a new connection.
     *
     * @return for how long its address should make no further ones, in ms
     */
    public long connect(InetAddress address) {
        Optional<Double> limit = QuotaLimits.ofAddress(image.get(), address.getHostAddress());
        if (limit.isEmpty()) {
            return 0;
        }
        long nowNs = time.nanoTime();
        RateWindow window = counted(
                addresses,
                address.getHostAddress(),
                OTHERS,
                () -> new RateWindow(samples, sampleNs, nowNs),
                RateWindow::lastUsedNs,
                nowNs);
        return throttleMs(window.add(1, nowNs), limit.get());
    }

    private static Counted others(Limit limit) {
        return new Counted(limit.key(), Optional.of(OTHERS), Optional.of(OTHERS));
    }

    private <K, V> V counted(
            Map<K, V> counts, K whose, K others, Supplier<V> fresh, ToLongFunction<V> lastUsedNs, long nowNs) {
        V present = counts.get(whose);
        if (present != null) {
            return present;
        }
        if (counts.size() >= MOST_COUNTED) {
            // Who was quiet for so long counts as new in any case.
            counts.values().removeIf(count -> nowNs - lastUsedNs.applyAsLong(count) > samples * sampleNs);
        }
        return counts.computeIfAbsent(counts.size() < MOST_COUNTED ? whose : others, key -> fresh.get());
    }
}
