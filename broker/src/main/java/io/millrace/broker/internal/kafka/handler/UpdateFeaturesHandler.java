package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.admin.ClusterFeatures;
import io.millrace.broker.internal.kafka.admin.ClusterFeatures.Feature;
import io.millrace.coordinator.metadata.MetadataCommand.AlterFeatures;
import io.millrace.coordinator.metadata.MetadataImage;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.common.message.UpdateFeaturesResponseData;
import org.apache.kafka.common.message.UpdateFeaturesResponseData.UpdatableFeatureResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.UpdateFeaturesRequest;
import org.apache.kafka.common.requests.UpdateFeaturesResponse;

/** Changes levels of features, all of a request or none (KIP-584). */
public final class UpdateFeaturesHandler implements KafkaHandler<UpdateFeaturesRequest> {

    private final AdminServices services;

    public UpdateFeaturesHandler(AdminServices services) {
        this.services = services;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.UPDATE_FEATURES;
    }

    @Override
    public void handle(UpdateFeaturesRequest request, KafkaExchange exchange) {
        MetadataImage image = services.topics().image();
        Map<String, Short> levels = new HashMap<>();
        Map<String, ApiError> errors = new LinkedHashMap<>();
        for (UpdateFeaturesRequest.FeatureUpdateItem update : request.featureUpdates()) {
            short level = update.versionLevel();
            levels.put(update.feature(), level);
            errors.put(update.feature(), check(update.feature(), level, update.upgradeType(), image));
        }
        Optional<Map.Entry<String, ApiError>> problem = errors.entrySet().stream()
                .filter(error -> error.getValue().isFailure())
                .findFirst();
        if (problem.isPresent() || request.data().validateOnly()) {
            exchange.answer(response(exchange.version(), errors, problem));
            return;
        }
        services.commands()
                .submit(operation -> new AlterFeatures(operation, levels))
                .whenComplete((result, failure) -> {
                    if (failure != null) {
                        exchange.fail(failure);
                    } else {
                        exchange.answer(response(exchange.version(), errors, problem));
                    }
                });
    }

    private static ApiError check(String name, short level, UpgradeType type, MetadataImage image) {
        Optional<Feature> known = ClusterFeatures.named(name);
        if (known.isEmpty()) {
            return wrong(name, level, "The controller does not support the given feature.");
        }
        Feature feature = known.get();
        short current = ClusterFeatures.level(feature, image);
        if (type == UpgradeType.UNKNOWN) {
            return wrong(name, level, "The controller does not support the given upgrade type.");
        }
        if (level < feature.min() || level > feature.max()) {
            return wrong(
                    name,
                    level,
                    "Local controller supports versions " + feature.min() + "-" + feature.max() + " of it.");
        }
        if (level < current && type == UpgradeType.UPGRADE) {
            return wrong(
                    name,
                    level,
                    "Can't downgrade the version of this feature without setting the upgrade type to either safe or unsafe"
                            + " downgrade.");
        }
        if (level > current && type != UpgradeType.UPGRADE) {
            return wrong(name, level, "Can't downgrade to a newer version.");
        }
        if (name.equals(ClusterFeatures.METADATA_VERSION) && level != current) {
            return wrong(name, level, "The metadata of this server has a format of its own, which has no other level.");
        }
        return ApiError.NONE;
    }

    private static ApiError wrong(String feature, short level, String why) {
        return Answers.error(
                Errors.INVALID_UPDATE_VERSION,
                "Invalid update version " + level + " for feature " + feature + ". " + why);
    }

    /** From version 2 on one error stands for all, since all fail together. */
    private static UpdateFeaturesResponse response(
            short version, Map<String, ApiError> errors, Optional<Map.Entry<String, ApiError>> problem) {
        UpdateFeaturesResponseData data = new UpdateFeaturesResponseData().setErrorMessage(null);
        if (version > 1) {
            problem.ifPresent(first -> data.setErrorCode(
                            first.getValue().error().code())
                    .setErrorMessage("The update failed for all features since the following feature had an error: "
                            + first.getValue().message()));
        } else {
            errors.forEach((feature, error) -> data.results()
                    .add(new UpdatableFeatureResult()
                            .setFeature(feature)
                            .setErrorCode(error.error().code())
                            .setErrorMessage(error.message())));
        }
        return new UpdateFeaturesResponse(data);
    }
}
