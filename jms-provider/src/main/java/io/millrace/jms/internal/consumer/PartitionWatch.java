package io.millrace.jms.internal.consumer;

import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.Loop.Timer;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.DestinationDescribed;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * Asks the server now and then how many partitions a destination has, since some may be added while it is consumed. Confined to the loop.
 *
 * <p>What fails is asked again the next time: the consumer goes on with the partitions that it has.
 */
final class PartitionWatch {

    private static final Timer NO_TIMER = () -> {};

    private final FeedSession session;
    private final ConsumerSpec spec;
    private final IntConsumer counted;
    private Timer timer = NO_TIMER;

    /**
     * Creates a watch that does not run yet.
     *
     * @param counted is told how many partitions there are, whether more or not
     */
    PartitionWatch(FeedSession session, ConsumerSpec spec, IntConsumer counted) {
        this.session = session;
        this.spec = spec;
        this.counted = counted;
    }

    void start() {
        timer.cancel();
        timer = session.loop().schedule(spec.partitionRefreshNs(), this::ask);
    }

    void stop() {
        timer.cancel();
    }

    private void ask() {
        start();
        if (!session.up()) {
            return;
        }
        String name = spec.destination().destinationName().jmsName();
        session.ask(corr -> new DescribeDestination(corr, Optional.empty(), name, false), new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                DestinationDescribed described = (DestinationDescribed) answer;
                // Another log has the name when it was deleted and created again: the server says so by other means.
                if (described.logId().equals(spec.logId())) {
                    counted.accept(described.partitions().size());
                }
            }

            @Override
            public void onFailure(LinkException failure) {
                // Asked again in a while.
            }
        });
    }
}
