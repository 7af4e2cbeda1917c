package io.millrace.broker.internal.kafka.admin;

import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.coordinator.metadata.MetadataImage;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Gives commands to the metadata's controller, each under an id of its own. From any thread. */
public final class MetadataCommands {

    private final ClusterMetadata metadata;
    private final Supplier<UUID> operationIds;

    /** @param operationIds makes ids of commands */
    public MetadataCommands(ClusterMetadata metadata, Supplier<UUID> operationIds) {
        this.metadata = metadata;
        this.operationIds = operationIds;
    }

    /** Returns the newest metadata. */
    public MetadataImage image() {
        return metadata.image();
    }

    /** Carries a command out. */
    public <R> CompletionStage<R> submit(Function<UUID, ? extends MetadataCommand<R>> command) {
        return submit(command, false);
    }

    /**
     * Carries a command out, or answers it as if.
     *
     * @param dryRun whether nothing shall change
     */
    public <R> CompletionStage<R> submit(Function<UUID, ? extends MetadataCommand<R>> command, boolean dryRun) {
        MetadataCommand<R> wish = command.apply(operationIds.get());
        return metadata.controller().submit(dryRun ? new MetadataCommand.DryRun<>(wish) : wish);
    }
}
