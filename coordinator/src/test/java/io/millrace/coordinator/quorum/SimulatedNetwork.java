package io.millrace.coordinator.quorum;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Delays, reorders and loses messages; members can be cut off. */
final class SimulatedNetwork {
    private static final int LOST_PER_MILLE = 5;
    private static final int SLOW_ONE_IN = 50;

    private final SimulatedTime time;
    private final IntFunction<@Nullable SimulatedMember> members;
    private final Set<Integer> cut = new TreeSet<>();
    private boolean reliable;

    SimulatedNetwork(SimulatedTime time, IntFunction<@Nullable SimulatedMember> members) {
        this.time = time;
        this.members = members;
    }

    void cut(int member) {
        cut.add(member);
    }

    void heal(int member) {
        cut.remove(member);
    }

    void becomeReliable() {
        reliable = true;
        cut.clear();
    }

    PeerTransport transportOf(int from) {
        return (peer, request) -> {
            CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
            int to = peer.memberId();
            time.note("send " + from + ">" + to + " " + request.remaining());
            deliver(from, to, () -> {
                SimulatedMember target = members.apply(to);
                if (target == null) {
                    return;
                }
                target.onPeerRequest(request).whenComplete((response, failure) -> {
                    if (failure == null) {
                        time.note("answer " + to + ">" + from + " " + response.remaining());
                        deliver(to, from, () -> answer.complete(response));
                    } else {
                        deliver(to, from, () -> answer.completeExceptionally(failure));
                    }
                });
            });
            return answer;
        };
    }

    private void deliver(int from, int to, Runnable arrival) {
        Random random = time.random("link " + from + ">" + to);
        if (isLost(from, to, random)) {
            return;
        }
        boolean slow = !reliable && random.nextInt(SLOW_ONE_IN) == 0;
        long delayMs = slow ? random.nextInt(400) : 1 + random.nextInt(8);
        time.at(delayMs, to * 100L + from, () -> {
            if (!isLost(from, to, random)) {
                arrival.run();
            }
        });
    }

    private boolean isLost(int from, int to, Random random) {
        return cut.contains(from) || cut.contains(to) || (!reliable && random.nextInt(1_000) < LOST_PER_MILLE);
    }
}
