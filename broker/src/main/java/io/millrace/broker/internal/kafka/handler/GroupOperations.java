package io.millrace.broker.internal.kafka.handler;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.utils.Utils;

/** What may be done with groups, as answers say it. */
final class GroupOperations {

    /** All that there is: whoever may connect may do that. */
    static final int ALL = all();

    private GroupOperations() {}

    private static int all() {
        Set<Byte> codes = new HashSet<>();
        List.of(
                        AclOperation.READ,
                        AclOperation.DELETE,
                        AclOperation.DESCRIBE,
                        AclOperation.DESCRIBE_CONFIGS,
                        AclOperation.ALTER_CONFIGS)
                .forEach(operation -> codes.add(operation.code()));
        return Utils.to32BitField(codes);
    }
}
