package io.millrace.jms.narayana;

import com.arjuna.ats.internal.jta.resources.arjunacore.XAResourceRecord;
import com.arjuna.ats.internal.jta.resources.arjunacore.XAResourceRecordWrappingPlugin;
import javax.transaction.xa.XAResource;
import org.jboss.tm.XAResourceWrapper;

/**
 * Has Narayana write names of resources to its log, which it does not do by itself. To be set before the first transaction: {@code
 * jtaPropertyManager.getJTAEnvironmentBean().setXaResourceRecordWrappingPluginClassName(ResourceNames.class.getName())}.
 */
public final class ResourceNames implements XAResourceRecordWrappingPlugin {

    private static final Integer NO_NUMBER = 0;

    /** For Narayana. */
    public ResourceNames() {}

    @Override
    public void transcribeWrapperData(XAResourceRecord branch) {
        if (branch.value() instanceof XAResourceWrapper named) {
            branch.setProductName(named.getProductName());
            branch.setProductVersion(named.getProductVersion());
            branch.setJndiName(named.getJndiName());
        }
    }

    /** Returns the number of a resource in Xids, by which nothing is told apart here. */
    @Override
    public Integer getEISName(XAResource resource) {
        return NO_NUMBER;
    }

    @Override
    public String getEISName(Integer number) {
        return "unknown";
    }
}
