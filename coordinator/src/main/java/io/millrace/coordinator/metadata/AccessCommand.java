package io.millrace.coordinator.metadata;

import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.QuotaEntity;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.coordinator.access.ScramCredential;
import io.millrace.coordinator.access.ScramMechanism;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;

/**
 * A wish to change who may log in, what they may do, or how much of it. Whether the requester may wish that, the caller has to know.
 *
 * @param <R> the answer: sealed, one variant per expected outcome
 */
public sealed interface AccessCommand<R> extends MetadataCommand<R> {

    /**
     * Sets and removes what one user can log in with, all or nothing.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param user the user's name
     * @param changes new credential by mechanism; empty to remove it
     */
    record AlterScramUser(UUID operationId, String user, Map<ScramMechanism, Optional<ScramCredential>> changes)
            implements AccessCommand<AlterScramUserResult> {
        public AlterScramUser {
            Objects.requireNonNull(operationId, "operationId");
            changes = Map.copyOf(changes);
            changes.forEach((mechanism, credential) -> credential.ifPresent(set -> {
                if (set.mechanism() != mechanism) {
                    throw new IllegalArgumentException(set + " under " + mechanism.mechanismName());
                }
            }));
        }
    }

    /**
     * Sets and removes quotas of one entity, all or nothing.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param entity for whom
     * @param changes new limit by key, more than 0; empty to remove it
     */
    record AlterQuotas(UUID operationId, QuotaEntity entity, Map<QuotaKey, OptionalDouble> changes)
            implements AccessCommand<AlterQuotasResult> {
        public AlterQuotas {
            Objects.requireNonNull(operationId, "operationId");
            changes = Map.copyOf(changes);
        }
    }

    /**
     * Creates ACLs, all or nothing; those that exist already stay.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param entries which
     */
    record CreateAcls(UUID operationId, List<AclEntry> entries) implements AccessCommand<CreateAclsResult> {
        public CreateAcls {
            Objects.requireNonNull(operationId, "operationId");
            entries = List.copyOf(entries);
        }
    }

    /**
     * Deletes ACLs; those that do not exist (any more) are none.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param entries which
     */
    record DeleteAcls(UUID operationId, List<AclEntry> entries) implements AccessCommand<DeleteAclsResult> {
        public DeleteAcls {
            Objects.requireNonNull(operationId, "operationId");
            entries = List.copyOf(entries);
        }
    }

    /** Answer to {@link AlterScramUser}. */
    sealed interface AlterScramUserResult {
        /** The changes hold. */
        record Altered() implements AlterScramUserResult {}

        /**
         * What was to be removed is not there.
         *
         * @param mechanism by which he could not log in before either
         */
        record NotFound(ScramMechanism mechanism) implements AlterScramUserResult {}

        /**
         * The name is not possible.
         *
         * @param problem what is wrong and what would be right
         */
        record Invalid(String problem) implements AlterScramUserResult {}

        /**
         * There are as many users as there may be.
         *
         * @param maxUsers the limit
         */
        record LimitReached(int maxUsers) implements AlterScramUserResult {}
    }

    /** Answer to {@link AlterQuotas}. */
    sealed interface AlterQuotasResult {
        /** The changes hold. */
        record Altered() implements AlterQuotasResult {}

        /**
         * A name or a limit is not possible.
         *
         * @param problem what is wrong and what would be right
         */
        record Invalid(String problem) implements AlterQuotasResult {}

        /**
         * As many entities as possible have quotas.
         *
         * @param maxEntities the limit
         */
        record LimitReached(int maxEntities) implements AlterQuotasResult {}
    }

    /** Answer to {@link CreateAcls}. */
    sealed interface CreateAclsResult {
        /** All of them exist. */
        record Created() implements CreateAclsResult {}

        /**
         * A name is not possible.
         *
         * @param problem what is wrong and what would be right
         */
        record Invalid(String problem) implements CreateAclsResult {}

        /**
         * There would be more than there may be.
         *
         * @param maxAcls the limit
         */
        record LimitReached(int maxAcls) implements CreateAclsResult {}
    }

    /** Answer to {@link DeleteAcls}. */
    sealed interface DeleteAclsResult {
        /** None of them exists. */
        record Deleted() implements DeleteAclsResult {}
    }
}
