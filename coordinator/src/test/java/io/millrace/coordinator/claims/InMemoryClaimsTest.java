package io.millrace.coordinator.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.coordinator.claims.ClaimOwner.ConnectionKey;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InMemoryClaimsTest {

    private static final ClaimKey CLIENT_ID = new ClaimKey.ClientId("billing");
    private static final ClaimKey SUBSCRIPTION = new ClaimKey.ExclusiveSubscription(new UUID(1, 1));
    private static final UUID ALICE = new UUID(0, 1);
    private static final UUID BOB = new UUID(0, 2);

    private final Claims claims = new InMemoryClaims(Runnable::run, 3);

    @Test
    void shouldGrantAFreeKey() {
        assertThat(claim(CLIENT_ID, ALICE, 1)).isEqualTo(new ClaimResult.Granted());
    }

    @Test
    void shouldNameTheHolderInAConflict() {
        claim(CLIENT_ID, ALICE, 1);

        assertThat(claim(CLIENT_ID, BOB, 2)).isEqualTo(new ClaimResult.HeldBy(owner(ALICE, 1)));
    }

    @Test
    void shouldGrantTheSameOwnerAgain() {
        claim(CLIENT_ID, ALICE, 1);

        assertThat(claim(CLIENT_ID, ALICE, 1)).isEqualTo(new ClaimResult.Granted());
        claims.release(CLIENT_ID, connection(1));
        assertThat(claim(CLIENT_ID, BOB, 2)).isEqualTo(new ClaimResult.Granted());
    }

    @Test
    void shouldFreeEverythingWhenTheConnectionEnds() {
        claim(CLIENT_ID, ALICE, 1);
        claim(SUBSCRIPTION, ALICE, 1);

        claims.connectionEnded(connection(1));

        assertThat(claim(CLIENT_ID, BOB, 2)).isEqualTo(new ClaimResult.Granted());
        assertThat(claim(SUBSCRIPTION, BOB, 2)).isEqualTo(new ClaimResult.Granted());
    }

    @Test
    void shouldKeepTheClaimOfAReconnectedOwnerWhenTheOldConnectionEnds() {
        claim(CLIENT_ID, ALICE, 1);
        claim(CLIENT_ID, ALICE, 2);

        claims.connectionEnded(connection(1));

        assertThat(claim(CLIENT_ID, BOB, 3)).isEqualTo(new ClaimResult.HeldBy(owner(ALICE, 2)));
        claims.connectionEnded(connection(2));
        assertThat(claim(CLIENT_ID, BOB, 3)).isEqualTo(new ClaimResult.Granted());
    }

    @Test
    void shouldIgnoreAReleaseByAnotherConnection() {
        claim(CLIENT_ID, ALICE, 1);

        claims.release(CLIENT_ID, connection(2));
        claims.connectionEnded(connection(2));

        assertThat(claim(CLIENT_ID, BOB, 2)).isEqualTo(new ClaimResult.HeldBy(owner(ALICE, 1)));
    }

    @Test
    void shouldReleaseOneKeyAndKeepTheOthers() {
        claim(CLIENT_ID, ALICE, 1);
        claim(SUBSCRIPTION, ALICE, 1);

        claims.release(SUBSCRIPTION, connection(1));

        assertThat(claim(SUBSCRIPTION, BOB, 2)).isEqualTo(new ClaimResult.Granted());
        assertThat(claim(CLIENT_ID, BOB, 2)).isEqualTo(new ClaimResult.HeldBy(owner(ALICE, 1)));
    }

    @Test
    void shouldRefuseMoreKeysThanTheLimitAndGoOnAfterARelease() {
        claim(new ClaimKey.ClientId("a"), ALICE, 1);
        claim(new ClaimKey.ClientId("b"), ALICE, 1);
        claim(new ClaimKey.ClientId("c"), ALICE, 1);

        assertThat(claim(CLIENT_ID, ALICE, 1)).isEqualTo(new ClaimResult.LimitReached(3));
        claims.release(new ClaimKey.ClientId("b"), connection(1));
        assertThat(claim(CLIENT_ID, ALICE, 1)).isEqualTo(new ClaimResult.Granted());
    }

    @Test
    void shouldTellClientIdsAndSubscriptionsOfEqualTextApart() {
        UUID id = new UUID(7, 7);
        claim(new ClaimKey.ClientId(id.toString()), ALICE, 1);

        assertThat(claim(new ClaimKey.ExclusiveSubscription(id), BOB, 2)).isEqualTo(new ClaimResult.Granted());
    }

    private ClaimResult claim(ClaimKey key, UUID identity, long connection) {
        return claims.claim(key, owner(identity, connection))
                .toCompletableFuture()
                .join();
    }

    private static ClaimOwner owner(UUID identity, long connection) {
        return new ClaimOwner(identity, connection(connection), "test");
    }

    private static ConnectionKey connection(long number) {
        return new ConnectionKey(1, 5, number);
    }
}
