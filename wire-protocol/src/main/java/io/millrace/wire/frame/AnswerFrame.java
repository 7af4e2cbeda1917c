package io.millrace.wire.frame;

/** The answer to a {@link RequestFrame}: the one that belongs to the request, or {@link Failure}. */
public sealed interface AnswerFrame extends Frame
        permits Failure,
                Done,
                SessionOpened,
                DestinationDescribed,
                DestinationsListed,
                DestinationPurged,
                LogDescribed,
                ProducerIdAllocated,
                SendOk,
                Subscribed,
                ConsumerOpened,
                Acknowledged,
                PullDone,
                LogRead,
                QueueBrowsed,
                TransactionsOpened,
                TransactionEnded,
                BranchStarted,
                BranchPrepared,
                BranchesRecovered,
                TransactionsListed,
                TransactionDescribed {

    /** Returns the correlation id of the request. */
    int corr();
}
