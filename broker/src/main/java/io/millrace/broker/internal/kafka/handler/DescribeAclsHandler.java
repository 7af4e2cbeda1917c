package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AclBindings;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.DescribeAclsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.DescribeAclsRequest;
import org.apache.kafka.common.requests.DescribeAclsResponse;

/** Tells the ACLs that a filter matches. */
public final class DescribeAclsHandler implements KafkaHandler<DescribeAclsRequest> {

    private final AdminServices services;

    public DescribeAclsHandler(AdminServices services) {
        this.services = services;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_ACLS;
    }

    @Override
    public void handle(DescribeAclsRequest request, KafkaExchange exchange) {
        services.requireAuthorizer();
        AclBindingFilter filter = request.filter();
        if (filter.isUnknown()) {
            throw new InvalidRequestException("The AclBindingFilter must not contain UNKNOWN elements.");
        }
        List<AclBinding> found = new ArrayList<>();
        services.topics().image().acls().forEach(entry -> {
            AclBinding binding = AclBindings.toKafka(entry);
            if (filter.matches(binding)) {
                found.add(binding);
            }
        });
        exchange.answer(new DescribeAclsResponse(
                new DescribeAclsResponseData().setResources(DescribeAclsResponse.aclsResources(found)),
                exchange.version()));
    }
}
