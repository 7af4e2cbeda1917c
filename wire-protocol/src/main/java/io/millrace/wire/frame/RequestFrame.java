package io.millrace.wire.frame;

/** A frame that is answered by exactly one {@link AnswerFrame} with the same correlation id. */
public sealed interface RequestFrame extends Frame
        permits OpenSession,
                CloseSession,
                ClaimClientId,
                DescribeDestination,
                ListDestinations,
                CreateDestination,
                DeleteDestination,
                AlterDestination,
                PurgeDestination,
                CreateTemporary,
                DeleteTemporary,
                DescribeLog,
                AllocateProducerId,
                Send,
                Subscribe,
                Unsubscribe,
                OpenConsumer,
                CloseConsumer,
                Acknowledge,
                Release,
                Pull,
                LeaveSubscription,
                ReadLog,
                BrowseQueue,
                OpenTransactions,
                EndTransaction,
                StartBranch,
                EndBranch,
                PrepareBranch,
                CommitBranch,
                RollbackBranch,
                ForgetBranch,
                RecoverBranches,
                ListTransactions,
                DescribeTransaction,
                DecideTransaction {

    /** Returns the correlation id, chosen by the requester, unique among its open requests on the connection. */
    int corr();

    /** Returns the session that the request belongs to, 0 if to none: requests of one session are taken up in order. */
    default int session() {
        return 0;
    }
}
