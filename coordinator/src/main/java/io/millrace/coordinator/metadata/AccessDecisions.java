package io.millrace.coordinator.metadata;

import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.coordinator.access.ScramCredential;
import io.millrace.coordinator.access.ScramMechanism;
import io.millrace.coordinator.metadata.AccessCommand.AlterQuotas;
import io.millrace.coordinator.metadata.AccessCommand.AlterQuotasResult;
import io.millrace.coordinator.metadata.AccessCommand.AlterScramUser;
import io.millrace.coordinator.metadata.AccessCommand.AlterScramUserResult;
import io.millrace.coordinator.metadata.AccessCommand.CreateAcls;
import io.millrace.coordinator.metadata.AccessCommand.CreateAclsResult;
import io.millrace.coordinator.metadata.AccessCommand.DeleteAcls;
import io.millrace.coordinator.metadata.AccessCommand.DeleteAclsResult;
import io.millrace.coordinator.metadata.MetadataRecord.AclCreated;
import io.millrace.coordinator.metadata.MetadataRecord.AclDeleted;
import io.millrace.coordinator.metadata.MetadataRecord.OperationRecorded;
import io.millrace.coordinator.metadata.MetadataRecord.QuotaChanged;
import io.millrace.coordinator.metadata.MetadataRecord.ScramCredentialRemoved;
import io.millrace.coordinator.metadata.MetadataRecord.ScramCredentialSet;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/** Decides about users, quotas and ACLs. Pure: no state, no effects. */
final class AccessDecisions {

    private final AccessLimits limits;

    AccessDecisions(AccessLimits limits) {
        this.limits = limits;
    }

    Decision<?> decide(AccessCommand<?> command, MetadataImage state) {
        return switch (command) {
            case AlterScramUser c -> alterUser(c, state);
            case AlterQuotas c -> alterQuotas(c, state);
            case CreateAcls c -> createAcls(c, state);
            case DeleteAcls c -> deleteAcls(c, state);
        };
    }

    static Object again(AccessCommand<?> command) {
        return switch (command) {
            case AlterScramUser c -> new AlterScramUserResult.Altered();
            case AlterQuotas c -> new AlterQuotasResult.Altered();
            case CreateAcls c -> new CreateAclsResult.Created();
            case DeleteAcls c -> new DeleteAclsResult.Deleted();
        };
    }

    private Decision<AlterScramUserResult> alterUser(AlterScramUser command, MetadataImage state) {
        String name = command.user();
        Optional<String> problem = problem("the name of a user", name);
        if (problem.isPresent()) {
            return Decision.unchanged(new AlterScramUserResult.Invalid(problem.get()));
        }
        Optional<ScramUser> user = state.scramUser(name);
        if (user.isEmpty() && state.scramUserCount() >= limits.maxScramUsers()) {
            return Decision.unchanged(new AlterScramUserResult.LimitReached(limits.maxScramUsers()));
        }
        List<MetadataRecord> records = begin(command.operationId());
        for (Map.Entry<ScramMechanism, Optional<ScramCredential>> change :
                new TreeMap<>(command.changes()).entrySet()) {
            ScramMechanism mechanism = change.getKey();
            if (change.getValue().isPresent()) {
                records.add(new ScramCredentialSet(name, change.getValue().get()));
            } else if (user.flatMap(known -> known.credential(mechanism)).isPresent()) {
                records.add(new ScramCredentialRemoved(name, mechanism));
            } else {
                return Decision.unchanged(new AlterScramUserResult.NotFound(mechanism));
            }
        }
        return Decision.change(records, new AlterScramUserResult.Altered());
    }

    private Decision<AlterQuotasResult> alterQuotas(AlterQuotas command, MetadataImage state) {
        for (Optional<String> name : command.entity().parts().values()) {
            Optional<String> problem = name.flatMap(text -> problem("whom a quota is for", text));
            if (problem.isPresent()) {
                return Decision.unchanged(new AlterQuotasResult.Invalid(problem.get()));
            }
        }
        if (state.quotas(command.entity()).isEmpty() && state.quotaEntityCount() >= limits.maxQuotaEntities()) {
            return Decision.unchanged(new AlterQuotasResult.LimitReached(limits.maxQuotaEntities()));
        }
        List<MetadataRecord> records = begin(command.operationId());
        for (Map.Entry<QuotaKey, OptionalDouble> change : new TreeMap<>(command.changes()).entrySet()) {
            OptionalDouble value = change.getValue();
            if (value.isPresent() && !(value.getAsDouble() > 0 && Double.isFinite(value.getAsDouble()))) {
                return Decision.unchanged(new AlterQuotasResult.Invalid(
                        "quota " + change.getKey().keyName() + " of " + value.getAsDouble() + " must be more than 0"));
            }
            records.add(new QuotaChanged(command.entity(), change.getKey(), value));
        }
        return Decision.change(records, new AlterQuotasResult.Altered());
    }

    private Decision<CreateAclsResult> createAcls(CreateAcls command, MetadataImage state) {
        Set<AclEntry> missing = new LinkedHashSet<>();
        for (AclEntry entry : command.entries()) {
            Optional<String> problem = Stream.of(entry.resourceName(), entry.principal(), entry.host())
                    .flatMap(text -> problem("a name in an ACL", text).stream())
                    .findFirst();
            if (problem.isPresent()) {
                return Decision.unchanged(new CreateAclsResult.Invalid(problem.get()));
            }
            if (!state.hasAcl(entry)) {
                missing.add(entry);
            }
        }
        if (missing.size() > limits.maxAcls() - state.aclCount()) {
            return Decision.unchanged(new CreateAclsResult.LimitReached(limits.maxAcls()));
        }
        List<MetadataRecord> records = begin(command.operationId());
        missing.forEach(entry -> records.add(new AclCreated(entry)));
        return Decision.change(records, new CreateAclsResult.Created());
    }

    private static Decision<DeleteAclsResult> deleteAcls(DeleteAcls command, MetadataImage state) {
        List<MetadataRecord> records = begin(command.operationId());
        new LinkedHashSet<>(command.entries())
                .stream().filter(state::hasAcl).forEach(entry -> records.add(new AclDeleted(entry)));
        return Decision.change(records, new DeleteAclsResult.Deleted());
    }

    private static List<MetadataRecord> begin(UUID operationId) {
        List<MetadataRecord> records = new ArrayList<>();
        records.add(new OperationRecorded(operationId, Ids.NONE, 0));
        return records;
    }

    private Optional<String> problem(String what, String name) {
        if (name.isEmpty()) {
            return Optional.of(what + " is empty");
        }
        return name.length() > limits.maxNameChars()
                ? Optional.of(what + " has " + name.length() + " characters, at most " + limits.maxNameChars()
                        + " are allowed")
                : Optional.empty();
    }
}
