package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.SendReply;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.time.TimeSource;

/** Appends a batch to a partition. */
final class SendHandler implements RequestHandler<Send> {

    private final PartitionLookup lookup;

    SendHandler(Partitions partitions) {
        this.lookup = new PartitionLookup(partitions);
    }

    @Override
    public void handle(Send request, Exchange exchange) {
        Partition partition = lookup.partition(request.logId(), request.partition());
        boolean wait = request.answer() == SendAnswer.REPLICATED;
        TimeSource time = partition.shard().time();
        long arrivedNs = time.nanoTime();
        PartitionLookup.post(
                partition,
                exchange,
                () -> partition.append(
                        request.payload(),
                        request.leaderEpoch(),
                        wait,
                        new Reply(exchange, request.leaderEpoch(), partition, arrivedNs)));
    }

    private record Reply(Exchange exchange, int leaderEpoch, Partition partition, long arrivedNs) implements SendReply {

        @Override
        public void onStored(long baseOffset) {
            partition.onSendAnswered(arrivedNs);
            exchange.answer(new SendOk(exchange.corr(), exchange.session(), baseOffset, leaderEpoch));
        }

        @Override
        public void onFailed(ErrorCode code, String message) {
            if (!exchange.isFinished()) {
                exchange.fail(code, message);
            }
        }
    }
}
