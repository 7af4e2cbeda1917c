package io.millrace.coordinator.metadata;

/**
 * How much the metadata takes of what tools store there: all of it is in the memory of every broker, and in every snapshot.
 *
 * @param maxScramUsers users with passwords
 * @param maxQuotaEntities entities with quotas
 * @param maxAcls access control entries
 * @param maxGroupConfigs groups with settings of their own
 * @param maxNameChars length of the name of a user, client id, principal, or resource
 */
record AccessLimits(int maxScramUsers, int maxQuotaEntities, int maxAcls, int maxGroupConfigs, int maxNameChars) {

    static final AccessLimits DEFAULT = new AccessLimits(100_000, 100_000, 100_000, 100_000, 1_024);
}
