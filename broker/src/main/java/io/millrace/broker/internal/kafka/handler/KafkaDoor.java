package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.internal.destination.ProducerIds;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.fetch.FetchReader;
import io.millrace.broker.internal.kafka.fetch.FetchSessions;
import io.millrace.broker.internal.kafka.fetch.Fetches;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import io.millrace.broker.internal.kafka.quota.ClientQuotas;
import io.millrace.broker.internal.kafka.quota.QuotaRules;
import io.millrace.broker.internal.kafka.security.AccessRules;
import io.millrace.broker.internal.kafka.share.ShareGroups;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.kafka.transaction.OffsetsInTransactions;
import io.millrace.broker.internal.kafka.transaction.TransactionalAppends;
import io.millrace.broker.internal.security.Authorizer;
import io.millrace.broker.internal.transaction.OffsetsParticipant;
import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.wire.time.TimeSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.protocol.ApiKeys;

/** The table of all requests that Kafka clients are answered: builds the handlers. */
public final class KafkaDoor {

    private static final int MAX_FETCH_BYTES = 55 * 1024 * 1024;
    private static final int FETCH_SESSIONS = 1000;

    private KafkaDoor() {}

    /**
     * What handlers use.
     *
     * @param random source of session ids; used by one at a time
     * @param offsetsParticipant ends transactions where offsets of groups are kept
     * @param admin what administrative requests use
     * @param authorizer decides who may do what
     * @param quotas counts what clients use
     * @param io runs what reads from the disk
     */
    public record Services(
            BrokerConfig config,
            String clusterId,
            TimeSource time,
            RandomGenerator random,
            KafkaTopics topics,
            Authorizer authorizer,
            ClientQuotas quotas,
            ProducerIds producerIds,
            GroupCoordination groups,
            ShareGroups shareGroups,
            TransactionCoordination transactions,
            OffsetsParticipant offsetsParticipant,
            AdminServices admin,
            Executor io) {}

    /** Builds a router with all handlers. */
    public static KafkaRouter router(Services services) {
        KafkaTopics topics = services.topics;
        int brokerId = services.config.get(BrokerKeys.BROKER_ID);
        Fetches fetches = new Fetches(
                new FetchReader(topics),
                new FetchSessions(FETCH_SESSIONS, services.time, services.random),
                MAX_FETCH_BYTES,
                services.time,
                services.io);
        Set<ApiKeys> offered = EnumSet.noneOf(ApiKeys.class);
        List<KafkaHandler<?>> handlers = new ArrayList<>(List.of(
                new ApiVersionsHandler(() -> offered, topics),
                new MetadataHandler(topics, services.clusterId, brokerId),
                new ProduceHandler(topics, new TransactionalAppends(services.transactions)),
                new FetchHandler(fetches),
                new ListOffsetsHandler(topics, services.io),
                new DescribeClusterHandler(topics, services.clusterId, brokerId),
                new SaslHandshakeHandler(),
                new SaslAuthenticateHandler()));
        handlers.add(new ShareFetchHandler(services.shareGroups));
        handlers.add(new ShareAcknowledgeHandler(services.shareGroups));
        handlers.addAll(groupHandlers(services.groups, services.shareGroups, topics));
        handlers.addAll(transactionHandlers(services, brokerId));
        handlers.addAll(AdminHandlers.all(services.admin, services.time));
        handlers.forEach(handler -> offered.add(handler.key()));
        QuotaRules quotas =
                new QuotaRules(services.quotas, topics, services.time, services.config.get(BrokerKeys.NUM_PARTITIONS));
        return new KafkaRouter(handlers, new AccessRules(topics), services.authorizer, quotas);
    }

    private static List<KafkaHandler<?>> groupHandlers(
            GroupCoordination groups, ShareGroups shares, KafkaTopics topics) {
        return List.of(
                new JoinGroupHandler(groups),
                new SyncGroupHandler(groups),
                new HeartbeatHandler(groups),
                new LeaveGroupHandler(groups),
                new DescribeGroupsHandler(groups),
                new ListGroupsHandler(groups),
                new DeleteGroupsHandler(groups),
                new ConsumerGroupHeartbeatHandler(groups),
                new ConsumerGroupDescribeHandler(groups),
                new StreamsGroupDescribeHandler(groups),
                new StreamsGroupTopologyDescriptionUpdateHandler(groups),
                new ShareGroupHeartbeatHandler(groups),
                new ShareGroupDescribeHandler(groups),
                new DescribeShareGroupOffsetsHandler(groups),
                new AlterShareGroupOffsetsHandler(groups, shares),
                new DeleteShareGroupOffsetsHandler(groups),
                new OffsetCommitHandler(groups, topics),
                new OffsetFetchHandler(groups, topics),
                new OffsetDeleteHandler(groups, topics),
                new StreamsGroupHeartbeatHandler(groups, topics));
    }

    private static List<KafkaHandler<?>> transactionHandlers(Services services, int brokerId) {
        TransactionCoordination transactions = services.transactions;
        KafkaTopics topics = services.topics;
        OffsetsInTransactions offsets = new OffsetsInTransactions(services.groups, transactions);
        return List.of(
                new FindCoordinatorHandler(services.groups, transactions, topics, brokerId),
                new InitProducerIdHandler(services.producerIds, transactions),
                new AddPartitionsToTxnHandler(transactions, topics),
                new AddOffsetsToTxnHandler(offsets),
                new TxnOffsetCommitHandler(services.groups, offsets, topics),
                new EndTxnHandler(transactions),
                new WriteTxnMarkersHandler(topics, services.offsetsParticipant),
                new ListTransactionsHandler(transactions, services.time),
                new DescribeTransactionsHandler(transactions));
    }
}
