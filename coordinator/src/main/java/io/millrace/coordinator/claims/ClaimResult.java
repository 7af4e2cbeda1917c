package io.millrace.coordinator.claims;

/** Answer to a claim. */
public sealed interface ClaimResult {

    /** The claimant has it, now or still. */
    record Granted() implements ClaimResult {}

    /**
     * Somebody else has it.
     *
     * @param holder who, with the connection that claimed it first
     */
    record HeldBy(ClaimOwner holder) implements ClaimResult {}

    /**
     * More claims than this broker keeps.
     *
     * @param maxClaims the limit
     */
    record LimitReached(int maxClaims) implements ClaimResult {}
}
