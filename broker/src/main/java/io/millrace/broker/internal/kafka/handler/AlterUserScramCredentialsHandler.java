package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.admin.ScramKeys;
import io.millrace.coordinator.access.ScramCredential;
import io.millrace.coordinator.access.ScramMechanism;
import io.millrace.coordinator.metadata.AccessCommand.AlterScramUser;
import io.millrace.coordinator.metadata.AccessCommand.AlterScramUserResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.UnacceptableCredentialException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData.ScramCredentialDeletion;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData.ScramCredentialUpsertion;
import org.apache.kafka.common.message.AlterUserScramCredentialsResponseData;
import org.apache.kafka.common.message.AlterUserScramCredentialsResponseData.AlterUserScramCredentialsResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterUserScramCredentialsRequest;
import org.apache.kafka.common.requests.AlterUserScramCredentialsResponse;
import org.apache.kafka.common.requests.ApiError;

/** Gives users passwords and takes them away (KIP-554). Each user is changed by himself, and may appear once in a request. */
public final class AlterUserScramCredentialsHandler implements KafkaHandler<AlterUserScramCredentialsRequest> {

    /** What is wanted for one user: a credential, or none. */
    private record Wish(byte mechanism, Optional<ScramCredentialUpsertion> credential) {}

    private final AdminServices services;

    public AlterUserScramCredentialsHandler(AdminServices services) {
        this.services = services;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.ALTER_USER_SCRAM_CREDENTIALS;
    }

    @Override
    public void handle(AlterUserScramCredentialsRequest request, KafkaExchange exchange) {
        Map<String, List<Wish>> byUser = new LinkedHashMap<>();
        for (ScramCredentialDeletion deletion : request.data().deletions()) {
            byUser.computeIfAbsent(deletion.name(), name -> new ArrayList<>())
                    .add(new Wish(deletion.mechanism(), Optional.empty()));
        }
        for (ScramCredentialUpsertion upsertion : request.data().upsertions()) {
            byUser.computeIfAbsent(upsertion.name(), name -> new ArrayList<>())
                    .add(new Wish(upsertion.mechanism(), Optional.of(upsertion)));
        }
        List<CompletionStage<AlterUserScramCredentialsResult>> results = new ArrayList<>();
        byUser.forEach((name, wishes) -> results.add(alter(name, wishes)
                .thenApply(error -> new AlterUserScramCredentialsResult()
                        .setUser(name)
                        .setErrorCode(error.error().code())
                        .setErrorMessage(error.message()))));
        Answers.whenAll(
                exchange,
                results,
                (List<AlterUserScramCredentialsResult> all) -> new AlterUserScramCredentialsResponse(
                        new AlterUserScramCredentialsResponseData().setResults(all)));
    }

    private CompletionStage<ApiError> alter(String name, List<Wish> wishes) {
        if (wishes.size() > 1) {
            return Answers.now(new ApiError(
                    Errors.DUPLICATE_RESOURCE, "A user credential cannot be altered twice in the same request"));
        }
        try {
            Wish wish = wishes.getFirst();
            ScramMechanism mechanism = checked(name, wish);
            Optional<ScramCredential> credential = wish.credential().map(upsertion -> credential(mechanism, upsertion));
            return services.commands()
                    .submit(operation -> new AlterScramUser(operation, name, Map.of(mechanism, credential)))
                    .handle((result, failure) -> failure == null ? error(result) : Answers.error(failure));
        } catch (ApiException e) {
            return Answers.now(Answers.error(e));
        }
    }

    private static ScramMechanism checked(String name, Wish wish) {
        if (name.isEmpty()) {
            throw new UnacceptableCredentialException("Username must not be empty");
        }
        return ScramMechanism.ofCode(wish.mechanism())
                .orElseThrow(() -> new UnsupportedSaslMechanismException("Unknown SCRAM mechanism"));
    }

    private static ScramCredential credential(ScramMechanism mechanism, ScramCredentialUpsertion upsertion) {
        if (upsertion.iterations() < ScramCredential.MIN_ITERATIONS) {
            throw new UnacceptableCredentialException("Too few iterations");
        }
        if (upsertion.iterations() > ScramCredential.MAX_ITERATIONS) {
            throw new UnacceptableCredentialException("Too many iterations");
        }
        try {
            return ScramKeys.credential(
                    mechanism, upsertion.salt(), upsertion.saltedPassword(), upsertion.iterations());
        } catch (IllegalArgumentException e) {
            throw new UnacceptableCredentialException(String.valueOf(e.getMessage()), e);
        }
    }

    private static ApiError error(AlterScramUserResult result) {
        return switch (result) {
            case AlterScramUserResult.Altered() -> ApiError.NONE;
            case AlterScramUserResult.NotFound(ScramMechanism mechanism) ->
                new ApiError(Errors.RESOURCE_NOT_FOUND, "Attempt to delete a user credential that does not exist");
            case AlterScramUserResult.Invalid(String problem) -> new ApiError(Errors.UNACCEPTABLE_CREDENTIAL, problem);
            case AlterScramUserResult.LimitReached(int maxUsers) ->
                new ApiError(
                        Errors.POLICY_VIOLATION,
                        "There are " + maxUsers + " users with passwords, and not more can be kept.");
        };
    }
}
