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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RecoveryHelperTest {

    @TempDir
    private Path directory;

    /** Set to the error of a connection that is lost. */
    private int lost;

    private FakeXAConnectionFactory broker() {
        Supplier<XAResource> resources = () -> {
            int[] broken = {0};
            try {
                return new FileResource(directory) {
                    @Override
                    public Xid[] recover(int flag) throws XAException {
                        failIfLost();
                        return super.recover(flag);
                    }

                    @Override
                    public void commit(Xid xid, boolean onePhase) throws XAException {
                        failIfLost();
                        super.commit(xid, onePhase);
                    }

                    private void failIfLost() throws XAException {
                        broken[0] = lost == 0 ? broken[0] : lost;
                        lost = 0;
                        if (broken[0] != 0) {
                            throw new XAException(broken[0]);
                        }
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

    /** PostgreSQL's driver calls it an error of the resource, others a failure. */
    @ParameterizedTest
    @ValueSource(ints = {XAException.XAER_RMFAIL, XAException.XAER_RMERR})
    void shouldAskAgainOverANewConnectionWhenTheOldOneIsLost(int error) throws XAException {
        FakeXAConnectionFactory broker = broker();
        RecoveryHelper helper = RecoveryHelper.of(broker.factory(), "orders");
        XAResource resource = helper.getXAResources()[0];
        lost = error;

        assertThat(resource.recover(XAResource.TMSTARTRSCAN)).isEmpty();

        assertThat(broker.opened()).isEqualTo(2);
        assertThat(broker.closed()).isOne();
    }

    /** An error of a commit says that the branch is rolled back: asked again, it would be unknown, which passes for committed. */
    @Test
    void shouldNotCommitAgainAfterAnError() {
        FakeXAConnectionFactory broker = broker();
        RecoveryHelper helper = RecoveryHelper.of(broker.factory(), "orders");
        XAResource resource = helper.getXAResources()[0];
        lost = XAException.XAER_RMERR;

        assertThatExceptionOfType(XAException.class)
                .isThrownBy(() -> resource.commit(new UnknownXid(), false))
                .satisfies(e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_RMERR));
        assertThat(broker.closed()).isOne();
        assertThat(helper.getXAResources()).hasSize(1);
        assertThat(broker.opened()).isEqualTo(2);
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
