package io.millrace.broker.internal.handler;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.internal.client.ClientConnection;
import io.millrace.broker.internal.client.ConnectionListener;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Destinations;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.destination.ProducerIds;
import io.millrace.broker.internal.destination.Purges;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.session.ConnectionClaims;
import io.millrace.broker.internal.session.Sessions;
import io.millrace.broker.internal.session.SubscriptionMembers;
import io.millrace.broker.internal.session.SubscriptionSelectors;
import io.millrace.broker.internal.session.Subscriptions;
import io.millrace.broker.internal.session.TransientSubscriptions;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.broker.internal.temporary.TemporaryDestinations;
import io.millrace.broker.internal.transaction.admin.TransactionAdmin;
import io.millrace.broker.internal.transaction.client.ClientBranches;
import io.millrace.broker.internal.transaction.client.ClientTransactions;
import io.millrace.wire.ErrorCode;
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
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Gives each frame of a client to the handler of its type, and the coming and going of connections to the sessions. Called on the socket
 * loops.
 */
public final class RequestRouter implements ConnectionListener {

    /**
     * What the handlers work with.
     *
     * @param ids makes random identities
     * @param io runs what may wait for a disk
     */
    public record Services(
            BrokerConfig config,
            Supplier<BrokerConfig> liveConfig,
            Shard control,
            Executor io,
            Supplier<UUID> ids,
            Partitions partitions,
            Destinations destinations,
            Purges purges,
            TemporaryDestinations temporary,
            ProducerIds producerIds,
            Sessions sessions,
            SubscriptionMembers members,
            Subscriptions subscriptions,
            TransientSubscriptions transientSubscriptions,
            ConnectionClaims claims,
            ClientTransactions transactions,
            ClientBranches branches,
            TransactionAdmin transactionAdmin) {}

    private final RightsGate gate;
    private final Sessions sessions;
    private final TemporaryDestinations temporary;
    private final Shard control;
    private final OpenSessionHandler openSession;
    private final CloseSessionHandler closeSession;
    private final ClaimClientIdHandler claimClientId;
    private final DescribeDestinationHandler describeDestination;
    private final ListDestinationsHandler listDestinations;
    private final CreateDestinationHandler createDestination;
    private final DeleteDestinationHandler deleteDestination;
    private final AlterDestinationHandler alterDestination;
    private final PurgeDestinationHandler purgeDestination;
    private final CreateTemporaryHandler createTemporary;
    private final DeleteTemporaryHandler deleteTemporary;
    private final DescribeLogHandler describeLog;
    private final AllocateProducerIdHandler allocateProducerId;
    private final SendHandler send;
    private final SubscribeHandler subscribe;
    private final UnsubscribeHandler unsubscribe;
    private final LeaveSubscriptionHandler leaveSubscription;
    private final OpenConsumerHandler openConsumer;
    private final CloseConsumerHandler closeConsumer;
    private final CreditHandler credit = new CreditHandler();
    private final AcknowledgeHandler acknowledge;
    private final ReleaseHandler release;
    private final PullHandler pull = new PullHandler();
    private final ReadLogHandler readLog;
    private final BrowseQueueHandler browseQueue;
    private final OpenTransactionsHandler openTransactions;
    private final EndTransactionHandler endTransaction;
    private final StartBranchHandler startBranch;
    private final EndBranchHandler endBranch;
    private final PrepareBranchHandler prepareBranch;
    private final CommitBranchHandler commitBranch;
    private final RollbackBranchHandler rollbackBranch;
    private final ForgetBranchHandler forgetBranch;
    private final RecoverBranchesHandler recoverBranches;
    private final ListTransactionsHandler listTransactions;
    private final DescribeTransactionHandler describeTransaction;
    private final DecideTransactionHandler decideTransaction;

    /** Creates all handlers. */
    public RequestRouter(Services services) {
        DestinationAnswers answers = new DestinationAnswers(services.destinations(), services.config());
        this.gate = new RightsGate(services.destinations()::image);
        this.sessions = services.sessions();
        this.temporary = services.temporary();
        this.control = services.control();
        this.openSession = new OpenSessionHandler(sessions, control);
        this.closeSession = new CloseSessionHandler(sessions, control);
        this.claimClientId = new ClaimClientIdHandler(services.claims());
        this.describeDestination = new DescribeDestinationHandler(services.destinations(), temporary, answers);
        this.listDestinations = new ListDestinationsHandler(services.destinations(), services.partitions());
        this.createDestination = new CreateDestinationHandler(services.destinations(), answers);
        this.deleteDestination = new DeleteDestinationHandler(services.destinations());
        this.alterDestination = new AlterDestinationHandler(services.destinations(), answers);
        this.purgeDestination = new PurgeDestinationHandler(services.purges());
        this.createTemporary = new CreateTemporaryHandler(temporary, answers, control);
        this.deleteTemporary = new DeleteTemporaryHandler(temporary, control);
        this.describeLog = new DescribeLogHandler(
                services.destinations(),
                services.partitions(),
                services.liveConfig(),
                services.config().get(BrokerKeys.BROKER_ID));
        this.allocateProducerId = new AllocateProducerIdHandler(services.producerIds());
        this.send = new SendHandler(services.partitions(), services.transactions());
        SubscriptionSelectors selectors = new SubscriptionSelectors(services.members());
        services.members().addEmptyListener(selectors);
        this.subscribe =
                new SubscribeHandler(services.subscriptions(), services.transientSubscriptions(), selectors, control);
        this.unsubscribe = new UnsubscribeHandler(services.subscriptions(), control);
        this.leaveSubscription = new LeaveSubscriptionHandler(services.members(), control);
        this.openConsumer = new OpenConsumerHandler(
                services.partitions(),
                services.members(),
                selectors,
                temporary,
                control,
                services.ids(),
                services.config().get(BrokerKeys.MAX_CONSUMERS));
        this.closeConsumer = new CloseConsumerHandler(control);
        ClosedConsumers closedConsumers = new ClosedConsumers(control);
        this.acknowledge = new AcknowledgeHandler(closedConsumers, services.transactions());
        this.release = new ReleaseHandler(closedConsumers);
        this.readLog = new ReadLogHandler(services.partitions(), services.io());
        this.browseQueue = new BrowseQueueHandler(services.partitions());
        this.openTransactions = new OpenTransactionsHandler(services.transactions());
        this.endTransaction = new EndTransactionHandler(services.transactions());
        this.startBranch = new StartBranchHandler(services.branches());
        this.endBranch = new EndBranchHandler(services.branches());
        this.prepareBranch = new PrepareBranchHandler(services.branches());
        this.commitBranch = new CommitBranchHandler(services.branches());
        this.rollbackBranch = new RollbackBranchHandler(services.branches());
        this.forgetBranch = new ForgetBranchHandler(services.branches());
        this.recoverBranches = new RecoverBranchesHandler(services.branches());
        this.listTransactions = new ListTransactionsHandler(services.transactionAdmin(), control.time());
        this.describeTransaction = new DescribeTransactionHandler(services.transactionAdmin(), control.time());
        this.decideTransaction = new DecideTransactionHandler(services.transactionAdmin());
    }

    @Override
    public void onOpened(ClientConnection connection) {
        control.execute(() -> {
            sessions.onConnectionOpened(connection);
            temporary.onConnectionOpened(connection);
        });
    }

    @Override
    public void onFrame(Frame frame, Exchange exchange) {
        try {
            route(admitted(frame, exchange), exchange);
        } catch (RuntimeException e) {
            Failures.answer(exchange, e);
        }
    }

    private Frame admitted(Frame frame, Exchange exchange) {
        try {
            return gate.admit(frame, exchange.connection().rights());
        } catch (RequestFailedException denied) {
            if (frame instanceof Send message) {
                send.onDenied(message, exchange, denied);
            }
            throw denied;
        }
    }

    /** One line per frame, so that the compiler finds a frame without a handler. */
    private void route(Frame frame, Exchange exchange) {
        switch (frame) {
            case Send request -> send.handle(request, exchange);
            case Credit request -> credit.handle(request, exchange);
            case Acknowledge request -> acknowledge.handle(request, exchange);
            case Release request -> release.handle(request, exchange);
            case Pull request -> pull.handle(request, exchange);
            case OpenSession request -> openSession.handle(request, exchange);
            case CloseSession request -> closeSession.handle(request, exchange);
            case ClaimClientId request -> claimClientId.handle(request, exchange);
            case DescribeDestination request -> describeDestination.handle(request, exchange);
            case ListDestinations request -> listDestinations.handle(request, exchange);
            case CreateDestination request -> createDestination.handle(request, exchange);
            case DeleteDestination request -> deleteDestination.handle(request, exchange);
            case AlterDestination request -> alterDestination.handle(request, exchange);
            case PurgeDestination request -> purgeDestination.handle(request, exchange);
            case CreateTemporary request -> createTemporary.handle(request, exchange);
            case DeleteTemporary request -> deleteTemporary.handle(request, exchange);
            case DescribeLog request -> describeLog.handle(request, exchange);
            case AllocateProducerId request -> allocateProducerId.handle(request, exchange);
            case Subscribe request -> subscribe.handle(request, exchange);
            case Unsubscribe request -> unsubscribe.handle(request, exchange);
            case LeaveSubscription request -> leaveSubscription.handle(request, exchange);
            case OpenConsumer request -> openConsumer.handle(request, exchange);
            case CloseConsumer request -> closeConsumer.handle(request, exchange);
            case ReadLog request -> readLog.handle(request, exchange);
            case BrowseQueue request -> browseQueue.handle(request, exchange);
            case OpenTransactions request -> openTransactions.handle(request, exchange);
            case EndTransaction request -> endTransaction.handle(request, exchange);
            case StartBranch request -> startBranch.handle(request, exchange);
            case EndBranch request -> endBranch.handle(request, exchange);
            case PrepareBranch request -> prepareBranch.handle(request, exchange);
            case CommitBranch request -> commitBranch.handle(request, exchange);
            case RollbackBranch request -> rollbackBranch.handle(request, exchange);
            case ForgetBranch request -> forgetBranch.handle(request, exchange);
            case RecoverBranches request -> recoverBranches.handle(request, exchange);
            case ListTransactions request -> listTransactions.handle(request, exchange);
            case DescribeTransaction request -> describeTransaction.handle(request, exchange);
            case DecideTransaction request -> decideTransaction.handle(request, exchange);
            case Hello _, Login _, Heartbeat _, Goodbye _, TransferBegin _, TransferChunk _ ->
                unexpected(frame, exchange);
            case HelloOk _, LoginChallenge _, LoginOk _, HeartbeatOk _, TransferGrant _ -> unexpected(frame, exchange);
            case AnswerFrame _, Deliver _, ConsumerClosed _ -> unexpected(frame, exchange);
        }
    }

    /** Frames of the connection itself, and frames that only a server sends. */
    private static void unexpected(Frame frame, Exchange exchange) {
        exchange.finish();
        exchange.connection().close(ErrorCode.INVALID_REQUEST, frame.type() + " came where a request was expected");
    }

    @Override
    public void onGoodbye(ClientConnection connection) {
        control.execute(() -> {
            sessions.onGoodbye(connection);
            temporary.onGoodbye(connection);
            connection.close(ErrorCode.NONE, "goodbye");
        });
    }

    @Override
    public void onClosed(ClientConnection connection) {
        control.execute(() -> {
            sessions.onConnectionClosed(connection);
            temporary.onConnectionClosed(connection);
        });
    }
}
