package io.millrace.wire.login;

import static io.millrace.wire.login.ScramExchangeTest.exchange;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimpleLoginTest {

    private static final byte[] SALT = "salt-of-user".getBytes(StandardCharsets.US_ASCII);

    @Test
    void shouldLetAnybodyInWithoutIdentity() {
        ClientLogin client = ClientLogin.none();

        LoginStep end = exchange(client, ServerLogin.none());

        assertThat(end).isEqualTo(new LoginStep.Accepted("anonymous", ByteBuffer.allocate(0)));
        client.onOk(ByteBuffer.allocate(0));
    }

    @Test
    void shouldTakeNothingAfterNone() {
        ServerLogin server = ServerLogin.none();
        assertThat(ServerLogin.none().onData(ByteBuffer.allocate(1))).isInstanceOf(LoginStep.Refused.class);

        server.onData(ByteBuffer.allocate(0));

        assertThat(server.onData(ByteBuffer.allocate(0))).isInstanceOf(LoginStep.Refused.class);
    }

    @ParameterizedTest
    @EnumSource
    void shouldCheckAPlainPasswordAgainstEitherCredential(ScramHash stored) {
        assertThat(exchange(ClientLogin.plain("ann", "right"), plainServer(stored)))
                .isEqualTo(new LoginStep.Accepted("ann", ByteBuffer.allocate(0)));
        assertThat(exchange(ClientLogin.plain("ann", "wrong"), plainServer(stored)))
                .isEqualTo(new LoginStep.Refused("There is no user ann, or it has another password"));
        assertThat(exchange(ClientLogin.plain("bob", "right"), plainServer(stored)))
                .isEqualTo(new LoginStep.Refused("There is no user bob, or it has another password"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ann", "\0ann", "\0\0pw", "\0ann\0", "bob\0ann\0right", "\0ann\0right\0more"})
    void shouldRefuseBadPlainMessages(String message) {
        assertThat(plainServer(ScramHash.SHA_256).onData(data(message))).isInstanceOf(LoginStep.Refused.class);
    }

    @Test
    void shouldTakeTheUserAsItsOwnAuthorizationIdentity() {
        assertThat(plainServer(ScramHash.SHA_256).onData(data("ann\0ann\0right")))
                .isInstanceOf(LoginStep.Accepted.class);
    }

    @Test
    void shouldTakeOnePlainMessageOnly() {
        ServerLogin server = plainServer(ScramHash.SHA_256);
        server.onData(data("\0ann\0wrong"));

        assertThat(server.onData(data("\0ann\0right"))).isEqualTo(new LoginStep.Refused("PLAIN takes one message"));
    }

    @Test
    void shouldNotSendANulOrNothing() {
        assertThatThrownBy(() -> ClientLogin.plain("an\0n", "right")).isInstanceOf(LoginException.class);
        assertThatThrownBy(() -> ClientLogin.plain("ann", "")).isInstanceOf(LoginException.class);
        assertThatThrownBy(() -> ClientLogin.plain("", "right")).isInstanceOf(LoginException.class);
    }

    @Test
    void shouldRefuseAServerOutOfStep() {
        ClientLogin client = ClientLogin.plain("ann", "right");
        assertThatThrownBy(() -> client.onOk(ByteBuffer.allocate(0))).isInstanceOf(LoginException.class);
        client.first();
        assertThatThrownBy(client::first).isInstanceOf(LoginException.class);
        assertThatThrownBy(() -> client.onChallenge(ByteBuffer.allocate(0))).isInstanceOf(LoginException.class);
        assertThatThrownBy(() -> client.onOk(ByteBuffer.allocate(1))).isInstanceOf(LoginException.class);
    }

    @Test
    void shouldFindMechanismsByTheirNames() {
        for (LoginMechanism mechanism : LoginMechanism.values()) {
            assertThat(LoginMechanism.fromWireName(mechanism.wireName())).contains(mechanism);
        }
        assertThat(LoginMechanism.fromWireName("scram-sha-256")).isEmpty();
        assertThat(ScramHash.of(LoginMechanism.SCRAM_SHA_512)).contains(ScramHash.SHA_512);
        assertThat(ScramHash.of(LoginMechanism.PLAIN)).isEmpty();
    }

    private static ServerLogin plainServer(ScramHash stored) {
        ScramCredential credential = ScramCredential.derive(stored, "right", SALT, 4_096);
        return ServerLogin.plain(
                (user, hash) -> user.equals("ann") && hash == stored ? Optional.of(credential) : Optional.empty());
    }

    private static ByteBuffer data(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
