package io.millrace.coordinator.metadata;

import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.AclPatternType;
import io.millrace.coordinator.access.AclResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The ACLs, all in order, and by resource pattern for {@link #matching}. Immutable; changed copies share the rest.
 *
 * <p>A lookup costs two lookups by name and one for each prefix that is the start of the name, and that only where such prefixes exist:
 * not a walk over all entries.
 */
record AclsImage(
        PersistentMap<AclEntry, AclEntry> all,
        PersistentMap<AclsImage.Pattern, PersistentMap<AclEntry, AclEntry>> byPattern) {

    static final AclsImage EMPTY = new AclsImage(PersistentMap.empty(), PersistentMap.empty());

    /** A resource pattern; those of one type and pattern type lie together, by name. */
    record Pattern(AclResourceType resourceType, AclPatternType patternType, String name)
            implements Comparable<Pattern> {
        static Pattern of(AclEntry entry) {
            return new Pattern(entry.resourceType(), entry.patternType(), entry.resourceName());
        }

        @Override
        public int compareTo(Pattern other) {
            int byType = resourceType.compareTo(other.resourceType);
            int byPattern = byType != 0 ? byType : patternType.compareTo(other.patternType);
            return byPattern != 0 ? byPattern : name.compareTo(other.name);
        }
    }

    AclsImage created(AclEntry entry) {
        InconsistentMetadataException.check(!all.containsKey(entry), entry + " twice");
        Pattern pattern = Pattern.of(entry);
        return new AclsImage(
                all.with(entry, entry), byPattern.with(pattern, at(pattern).with(entry, entry)));
    }

    AclsImage deleted(AclEntry entry) {
        InconsistentMetadataException.check(all.containsKey(entry), "there is no " + entry);
        Pattern pattern = Pattern.of(entry);
        PersistentMap<AclEntry, AclEntry> rest = at(pattern).without(entry);
        return new AclsImage(
                all.without(entry), rest.isEmpty() ? byPattern.without(pattern) : byPattern.with(pattern, rest));
    }

    /** Returns all entries that are about a resource: by its name, by a start of its name, or about all of the type. */
    List<AclEntry> matching(AclResourceType type, String name) {
        List<AclEntry> found = new ArrayList<>();
        at(new Pattern(type, AclPatternType.LITERAL, name)).forEach(found::add);
        if (!name.equals(AclEntry.ANY_NAME)) {
            at(new Pattern(type, AclPatternType.LITERAL, AclEntry.ANY_NAME)).forEach(found::add);
        }
        Optional<Pattern> next = byPattern.floorKey(new Pattern(type, AclPatternType.PREFIXED, name));
        while (next.isPresent()
                && next.get().resourceType() == type
                && next.get().patternType() == AclPatternType.PREFIXED) {
            String candidate = next.get().name();
            int common = commonLength(candidate, name);
            if (common == candidate.length()) {
                at(next.get()).forEach(found::add);
                common--;
            }
            // Whatever else is a start of the name is no longer than what the two share, so it comes before the
            // candidate.
            next = common <= 0
                    ? Optional.empty()
                    : byPattern.floorKey(new Pattern(type, AclPatternType.PREFIXED, name.substring(0, common)));
        }
        return found;
    }

    private PersistentMap<AclEntry, AclEntry> at(Pattern pattern) {
        return byPattern.get(pattern).orElse(PersistentMap.empty());
    }

    private static int commonLength(String a, String b) {
        int length = Math.min(a.length(), b.length());
        int common = 0;
        while (common < length && a.charAt(common) == b.charAt(common)) {
            common++;
        }
        return common;
    }
}
