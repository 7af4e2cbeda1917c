package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.ScramUser;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.message.DescribeUserScramCredentialsRequestData.UserName;
import org.apache.kafka.common.message.DescribeUserScramCredentialsResponseData;
import org.apache.kafka.common.message.DescribeUserScramCredentialsResponseData.CredentialInfo;
import org.apache.kafka.common.message.DescribeUserScramCredentialsResponseData.DescribeUserScramCredentialsResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeUserScramCredentialsRequest;
import org.apache.kafka.common.requests.DescribeUserScramCredentialsResponse;

/** Tells which users have passwords, and by which mechanism (KIP-554); never anything to check one by. */
public final class DescribeUserScramCredentialsHandler implements KafkaHandler<DescribeUserScramCredentialsRequest> {

    private final KafkaTopics topics;

    public DescribeUserScramCredentialsHandler(KafkaTopics topics) {
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_USER_SCRAM_CREDENTIALS;
    }

    @Override
    public void handle(DescribeUserScramCredentialsRequest request, KafkaExchange exchange) {
        MetadataImage image = topics.image();
        DescribeUserScramCredentialsResponseData data = new DescribeUserScramCredentialsResponseData();
        List<UserName> asked = request.data().users();
        if (asked == null || asked.isEmpty()) {
            image.scramUsers().forEach(user -> data.results().add(describe(user)));
        } else {
            Map<String, Integer> counts = new LinkedHashMap<>();
            asked.forEach(user -> counts.merge(user.name(), 1, Integer::sum));
            counts.forEach((name, count) -> data.results().add(describe(name, count, image)));
        }
        exchange.answer(new DescribeUserScramCredentialsResponse(data));
    }

    private static DescribeUserScramCredentialsResult describe(String name, int count, MetadataImage image) {
        if (count > 1) {
            return new DescribeUserScramCredentialsResult()
                    .setUser(name)
                    .setErrorCode(Errors.DUPLICATE_RESOURCE.code())
                    .setErrorMessage("Cannot describe SCRAM credentials for the same user twice in a single request");
        }
        return image.scramUser(name)
                .map(DescribeUserScramCredentialsHandler::describe)
                .orElseGet(() -> new DescribeUserScramCredentialsResult()
                        .setUser(name)
                        .setErrorCode(Errors.RESOURCE_NOT_FOUND.code())
                        .setErrorMessage("Attempt to describe a user credential that does not exist"));
    }

    private static DescribeUserScramCredentialsResult describe(ScramUser user) {
        DescribeUserScramCredentialsResult result = new DescribeUserScramCredentialsResult().setUser(user.name());
        new TreeMap<>(user.credentials())
                .forEach((mechanism, credential) -> result.credentialInfos()
                        .add(new CredentialInfo()
                                .setMechanism((byte) mechanism.code())
                                .setIterations(credential.iterations())));
        return result;
    }
}
