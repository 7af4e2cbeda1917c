package io.millrace.jms.narayana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import jakarta.jms.XAConnection;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XASession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecoveryHelperTest {

    @TempDir
    private Path directory;

    private boolean lost;

    private FakeXAConnectionFactory broker() {
        Supplier<XAResource> resources = () -> {
            boolean[] broken = {false};
            try {
                return new FileResource(directory) {
                    @Override
                    public Xid[] recover(int flag) throws XAException {
                        broken[0] |= lost;
                        lost = false;
                        if (broken[0]) {
                            throw new XAException(XAException.XAER_RMFAIL);
                        }
                        return super.recover(flag);
                    }
                };
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        return new FakeXAConnectionFactory(resources);
    }

    @Test
    void shouldReturnTheSameNamedResourceAtEachPass() {
        FakeXAConnectionFactory broker = broker();
        try (RecoveryHelper helper = RecoveryHelper.of(broker.factory(), "orders")) {
            XAResource[] first = helper.getXAResources();
            assertThat(helper.getXAResources()).containsExactly(first).hasSize(1);
            assertThat(first[0])
                    .isInstanceOfSatisfying(
                            NamedXAResource.class,
                            named -> assertThat(named.getJndiName()).isEqualTo("orders"));
            assertThat(broker.opened()).isOne();
        }
        assertThat(broker.closed()).isOne();
    }

    @Test
    void shouldReturnNoneWhileTheBrokerIsDown() {
        FakeXAConnectionFactory broker = broker();
        RecoveryHelper helper = RecoveryHelper.of(broker.factory(), "orders");
        broker.setDown(true);
        assertThat(helper.getXAResources()).isEmpty();
        broker.setDown(false);
        assertThat(helper.getXAResources()).hasSize(1);
    }

    @Test
    void shouldAskAgainOverANewConnectionWhenTheOldOneIsLost() throws XAException {
        FakeXAConnectionFactory broker = broker();
        RecoveryHelper helper = RecoveryHelper.of(broker.factory(), "orders");
        XAResource resource = helper.getXAResources()[0];
        lost = true;

        assertThat(resource.recover(XAResource.TMSTARTRSCAN)).isEmpty();

        assertThat(broker.opened()).isEqualTo(2);
        assertThat(broker.closed()).isOne();
    }

    @Test
    void shouldPassOnWhatTheBrokerRefuses() {
        FakeXAConnectionFactory broker = broker();
        XAResource resource = RecoveryHelper.of(broker.factory(), "orders").getXAResources()[0];

        assertThatExceptionOfType(XAException.class)
                .isThrownBy(() -> resource.commit(new UnknownXid(), false))
                .satisfies(e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_NOTA));
        assertThat(broker.opened()).isOne();
    }

    @Test
    void shouldRefuseToBeEnlisted() {
        XAResource resource = RecoveryHelper.of(broker().factory(), "orders").getXAResources()[0];

        assertThatExceptionOfType(XAException.class)
                .isThrownBy(() -> resource.start(new UnknownXid(), XAResource.TMNOFLAGS))
                .satisfies(e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_PROTO))
                .withMessageContaining("enlist the resource of a session of your own");
    }

    @Test
    void shouldNameTheResourcesOfSessionsAndContexts() throws Exception {
        var factory = NamedXAConnectionFactory.of(broker().factory(), "orders");
        XAConnection connection = factory.createXAConnection();
        XASession session = connection.createXASession();
        XAJMSContext context = factory.createXAContext();

        assertThat(connection.getClientID()).isEqualTo("fake");
        assertThat(session.getTransacted()).isTrue();
        assertThat(((NamedXAResource) session.getXAResource()).getJndiName()).isEqualTo("orders");
        assertThat(((NamedXAResource) context.getXAResource()).getJndiName()).isEqualTo("orders");
        assertThat(session.getXAResource().isSameRM(context.getXAResource())).isTrue();
        assertThat(List.of(connection)).contains(connection).doesNotContain(factory.createXAConnection());
    }

    @Test
    void shouldThrowWhatTheFactoryThrows() {
        FakeXAConnectionFactory broker = broker();
        broker.setDown(true);

        assertThatExceptionOfType(jakarta.jms.JMSException.class)
                .isThrownBy(() ->
                        NamedXAConnectionFactory.of(broker.factory(), "orders").createXAConnection())
                .withMessage("the broker is down");
    }

    @Test
    void shouldNotTakeABlankName() {
        assertThatIllegalArgumentException().isThrownBy(() -> RecoveryHelper.of(broker().factory(), " "));
    }

    private record UnknownXid() implements Xid {

        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {1};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {2};
        }
    }
}
