package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.handler.Need.AllOf;
import io.millrace.broker.internal.handler.Need.Creation;
import io.millrace.broker.internal.handler.Need.OfCluster;
import io.millrace.broker.internal.handler.Need.OfDestination;
import io.millrace.broker.internal.handler.Need.OfKnownSubscription;
import io.millrace.broker.internal.handler.Need.OfLog;
import io.millrace.broker.internal.handler.Need.OfSubscription;
import io.millrace.broker.internal.handler.Need.SightOrCreation;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.AllocateProducerId;
import io.millrace.wire.frame.AlterDestination;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.BrowseQueue;
import io.millrace.wire.frame.ClaimClientId;
import io.millrace.wire.frame.CloseConsumer;
import io.millrace.wire.frame.CloseSession;
import io.millrace.wire.frame.CommitBranch;
import io.millrace.wire.frame.ConsumerClosed;
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.CreateDestination;
import io.millrace.wire.frame.CreateTemporary;
import io.millrace.wire.frame.Credit;
import io.millrace.wire.frame.DecideTransaction;
import io.millrace.wire.frame.DeleteDestination;
import io.millrace.wire.frame.DeleteTemporary;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.DescribeLog;
import io.millrace.wire.frame.DescribeTransaction;
import io.millrace.wire.frame.EndBranch;
import io.millrace.wire.frame.EndTransaction;
import io.millrace.wire.frame.ForgetBranch;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.Goodbye;
import io.millrace.wire.frame.Heartbeat;
import io.millrace.wire.frame.HeartbeatOk;
import io.millrace.wire.frame.Hello;
import io.millrace.wire.frame.HelloOk;
import io.millrace.wire.frame.LeaveSubscription;
import io.millrace.wire.frame.ListDestinations;
import io.millrace.wire.frame.ListTransactions;
import io.millrace.wire.frame.Login;
import io.millrace.wire.frame.LoginChallenge;
import io.millrace.wire.frame.LoginOk;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.frame.OpenTransactions;
import io.millrace.wire.frame.PrepareBranch;
import io.millrace.wire.frame.Pull;
import io.millrace.wire.frame.PurgeDestination;
import io.millrace.wire.frame.ReadLog;
import io.millrace.wire.frame.RecoverBranches;
import io.millrace.wire.frame.Release;
import io.millrace.wire.frame.RollbackBranch;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.StartBranch;
import io.millrace.wire.frame.Subscribe;
import io.millrace.wire.frame.TransferBegin;
import io.millrace.wire.frame.TransferChunk;
import io.millrace.wire.frame.TransferGrant;
import io.millrace.wire.frame.Unsubscribe;
import io.millrace.wire.name.TemporaryName;
import java.util.ArrayList;
import java.util.List;

/**
 * The one table from requests of JMS clients to what their senders must be allowed to do, in Kafka's operations on Kafka's resources
 * (docs/security.md, Rights). One line per frame, so that the compiler finds a frame without an entry.
 */
final class NeededRights {

    private NeededRights() {}

    static Need of(Frame frame) {
        return switch (frame) {
            case Send request -> new OfLog(AclOperation.WRITE, request.logId());
            case OpenConsumer request -> consumption(request);
            case Subscribe request -> subscription(request);
            case Unsubscribe request -> new OfSubscription(AclOperation.DELETE, request.clientId(), request.name());
            case ReadLog request -> new OfLog(AclOperation.READ, request.logId());
            case BrowseQueue request -> new OfLog(AclOperation.READ, request.logId());
            case DescribeLog request -> new OfLog(AclOperation.DESCRIBE, request.logId());
            case DescribeDestination request -> sight(request);
            // Whoever knows the name of a temporary destination may send to it; only its connection consumes.
            case CreateTemporary _, DeleteTemporary _ -> Need.NOTHING;
            case CreateDestination request -> new Creation(request.name());
            case DeleteDestination request -> new OfDestination(AclOperation.DELETE, request.name());
            case AlterDestination request -> alteration(request);
            case PurgeDestination request ->
                new OfDestination(request.dryRun() ? AclOperation.DESCRIBE : AclOperation.DELETE, request.name());
            case ListTransactions _, DescribeTransaction _ -> new OfCluster(AclOperation.DESCRIBE);
            case DecideTransaction _ -> new OfCluster(AclOperation.ALTER);
            // Leaves out what the client may not see.
            case ListDestinations _ -> Need.NOTHING;
            // Of consumers that are open: when a right ends, RightsWatch ends them.
            case Credit _, Acknowledge _, Release _, Pull _, CloseConsumer _, LeaveSubscription _ -> Need.NOTHING;
            // Of the client itself.
            case OpenSession _, CloseSession _, ClaimClientId _, AllocateProducerId _ -> Need.NOTHING;
            // Transactions have names that the broker chose, branches belong to the user who started them; what is done
            // in them has rights of its
            // own.
            case OpenTransactions _, EndTransaction _, StartBranch _, EndBranch _, PrepareBranch _ -> Need.NOTHING;
            case CommitBranch _, RollbackBranch _, ForgetBranch _, RecoverBranches _ -> Need.NOTHING;
            // No requests; refused whoever sends them.
            case Hello _, Login _, Heartbeat _, Goodbye _, TransferBegin _, TransferChunk _ -> Need.NOTHING;
            case HelloOk _, LoginChallenge _, LoginOk _, HeartbeatOk _, TransferGrant _ -> Need.NOTHING;
            case AnswerFrame _, Deliver _, ConsumerClosed _ -> Need.NOTHING;
        };
    }

    private static Need sight(DescribeDestination request) {
        if (TemporaryName.parse(request.name()).isPresent()) {
            return Need.NOTHING;
        }
        return request.autoCreate()
                ? new SightOrCreation(request.name())
                : new OfDestination(AclOperation.DESCRIBE, request.name());
    }

    private static Need consumption(OpenConsumer request) {
        Need reading = new OfLog(AclOperation.READ, request.logId());
        return request.source() == ConsumerSource.SUBSCRIPTION
                ? Need.allOf(reading, new OfKnownSubscription(AclOperation.READ, request.subscriptionUuid()))
                : reading;
    }

    private static Need subscription(Subscribe request) {
        return Need.allOf(
                new OfLog(AclOperation.READ, request.logId()),
                new OfSubscription(
                        AclOperation.READ, request.clientId().filter(id -> !request.cursor()), request.name()));
    }

    private static Need alteration(AlterDestination request) {
        List<Need> needs = new ArrayList<>();
        if (request.partitions() >= 0) {
            needs.add(new OfDestination(AclOperation.ALTER, request.name()));
        }
        if (!request.config().isEmpty() || needs.isEmpty()) {
            needs.add(new OfDestination(AclOperation.ALTER_CONFIGS, request.name()));
        }
        return new AllOf(needs);
    }
}
