package io.millrace.broker.internal.network;

/**
 * The memory of a broker that its connections share. Each part has a bound of its own, so that one use cannot take the room of another:
 * acknowledgements must pass where sends have to wait.
 *
 * @param inFlight bytes of requests that are in work
 * @param outbound bytes that wait for clients to read them
 * @param frames room for frames that are being read
 * @param transfers room for requests that come in chunks
 */
record SharedMemory(ByteBudget inFlight, ByteBudget outbound, TransferPool frames, TransferPool transfers) {

    /**
     * A request that is larger than all may have together, as Kafka clients may send, is read while no other is, if it takes no more
     * than transfers may.
     *
     * @param onHeldBack runs whenever somebody has to wait for room for a request
     */
    static SharedMemory of(NetworkSettings settings, Runnable onHeldBack) {
        return new SharedMemory(
                new ByteBudget(settings.brokerInFlightBytes()),
                new ByteBudget(settings.brokerOutboundBytes()),
                new TransferPool(
                        settings.brokerInFlightBytes(),
                        Math.max(settings.brokerInFlightBytes(), settings.transferPoolBytes()),
                        onHeldBack),
                new TransferPool(settings.transferPoolBytes(), onHeldBack));
    }
}
