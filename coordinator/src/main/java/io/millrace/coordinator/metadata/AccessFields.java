package io.millrace.coordinator.metadata;

import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclPatternType;
import io.millrace.coordinator.access.AclPermission;
import io.millrace.coordinator.access.AclResourceType;
import io.millrace.coordinator.access.QuotaEntity;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.coordinator.access.QuotaSubject;
import io.millrace.coordinator.access.ScramCredential;
import io.millrace.coordinator.access.ScramMechanism;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** Users, quotas and ACLs as fields of metadata records. */
final class AccessFields {

    private static final int NOT_MEANT = 0;
    private static final int DEFAULT = 1;
    private static final int NAMED = 2;

    private AccessFields() {}

    static void writeCredential(FieldWriter out, ScramCredential credential) {
        out.u8(credential.mechanism().code())
                .bytes(credential.salt())
                .bytes(credential.storedKey())
                .bytes(credential.serverKey())
                .i32(credential.iterations());
    }

    static ScramCredential readCredential(FieldReader in) {
        return new ScramCredential(readMechanism(in), in.bytes(), in.bytes(), in.bytes(), in.i32());
    }

    static ScramMechanism readMechanism(FieldReader in) {
        int code = in.u8();
        return ScramMechanism.ofCode(code).orElseThrow(() -> in.wrong("unknown SCRAM mechanism " + code));
    }

    static void writeEntity(FieldWriter out, QuotaEntity entity) {
        writeSubject(out, entity.user());
        writeSubject(out, entity.clientId());
        writeSubject(out, entity.ip());
    }

    static QuotaEntity readEntity(FieldReader in) {
        return new QuotaEntity(readSubject(in), readSubject(in), readSubject(in));
    }

    private static void writeSubject(FieldWriter out, Optional<QuotaSubject> subject) {
        Optional<String> name = subject.flatMap(QuotaSubject::name);
        out.u8(name.isPresent() ? NAMED : subject.isPresent() ? DEFAULT : NOT_MEANT);
        name.ifPresent(out::string);
    }

    private static Optional<QuotaSubject> readSubject(FieldReader in) {
        int form = in.u8();
        return switch (form) {
            case NOT_MEANT -> Optional.empty();
            case DEFAULT -> Optional.of(QuotaSubject.DEFAULT);
            case NAMED -> Optional.of(QuotaSubject.of(in.string()));
            default -> throw in.wrong("unknown form of a quota's subject " + form);
        };
    }

    static QuotaKey readQuotaKey(FieldReader in) {
        String name = in.string();
        return QuotaKey.named(name).orElseThrow(() -> in.wrong("unknown quota " + name));
    }

    static void writeAcl(FieldWriter out, AclEntry entry) {
        out.u8(entry.resourceType().code())
                .string(entry.resourceName())
                .u8(entry.patternType().code())
                .string(entry.principal())
                .string(entry.host())
                .u8(entry.operation().code())
                .u8(entry.permission().code());
    }

    static AclEntry readAcl(FieldReader in) {
        return new AclEntry(
                constant(in, "type of resource", AclResourceType.values(), AclResourceType::code),
                in.string(),
                constant(in, "type of pattern", AclPatternType.values(), AclPatternType::code),
                in.string(),
                in.string(),
                constant(in, "operation", AclOperation.values(), AclOperation::code),
                constant(in, "permission", AclPermission.values(), AclPermission::code));
    }

    private static <E> E constant(FieldReader in, String what, E[] constants, ToIntFunction<E> codeOf) {
        int code = in.u8();
        for (E constant : constants) {
            if (codeOf.applyAsInt(constant) == code) {
                return constant;
            }
        }
        throw in.wrong("unknown " + what + " " + code);
    }
}
