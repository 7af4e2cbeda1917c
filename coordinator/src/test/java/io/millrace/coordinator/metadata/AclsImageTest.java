package io.millrace.coordinator.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclPatternType;
import io.millrace.coordinator.access.AclPermission;
import io.millrace.coordinator.access.AclResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AclsImageTest {

    static AclEntry read(AclPatternType pattern, String name) {
        return new AclEntry(
                AclResourceType.TOPIC, name, pattern, "User:alice", "*", AclOperation.READ, AclPermission.ALLOW);
    }

    @Test
    void shouldFindEntriesByNameByStartOfNameAndForAll() {
        AclEntry exact = read(AclPatternType.LITERAL, "orders.eu");
        AclEntry prefix = read(AclPatternType.PREFIXED, "orders.");
        AclEntry shorter = read(AclPatternType.PREFIXED, "o");
        AclEntry whole = read(AclPatternType.PREFIXED, "orders.eu");
        AclEntry all = read(AclPatternType.LITERAL, "*");
        AclsImage acls = AclsImage.EMPTY;
        for (AclEntry entry : List.of(exact, prefix, shorter, whole, all)) {
            acls = acls.created(entry);
        }
        for (String other : List.of("orders.e0", "orders.eu.west", "orders.us", "p", "orders-")) {
            acls = acls.created(read(AclPatternType.PREFIXED, other)).created(read(AclPatternType.LITERAL, other));
        }

        assertThat(acls.matching(AclResourceType.TOPIC, "orders.eu"))
                .containsExactlyInAnyOrder(exact, prefix, shorter, whole, all);
        assertThat(acls.matching(AclResourceType.GROUP, "orders.eu")).isEmpty();
        assertThat(acls.deleted(prefix).matching(AclResourceType.TOPIC, "orders.eu"))
                .containsExactlyInAnyOrder(exact, shorter, whole, all);
    }

    @Test
    void shouldFindWhatAWalkOverAllFinds() {
        Random random = new Random(7);
        AclsImage acls = AclsImage.EMPTY;
        List<AclEntry> present = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            AclEntry entry =
                    read(random.nextBoolean() ? AclPatternType.LITERAL : AclPatternType.PREFIXED, word(random));
            if (!present.contains(entry)) {
                present.add(entry);
                acls = acls.created(entry);
            } else if (random.nextBoolean()) {
                present.remove(entry);
                acls = acls.deleted(entry);
            }
        }

        for (int i = 0; i < 500; i++) {
            String name = word(random);
            assertThat(acls.matching(AclResourceType.TOPIC, name))
                    .as(name)
                    .containsExactlyInAnyOrderElementsOf(present.stream()
                            .filter(entry -> entry.patternType() == AclPatternType.PREFIXED
                                    ? name.startsWith(entry.resourceName())
                                    : name.equals(entry.resourceName()))
                            .toList());
        }
        assertThat(acls.all()).containsExactlyInAnyOrderElementsOf(present);
    }

    private static String word(Random random) {
        StringBuilder word = new StringBuilder();
        for (int length = 1 + random.nextInt(6); length > 0; length--) {
            word.append((char) ('a' + random.nextInt(3)));
        }
        return word.toString();
    }
}
