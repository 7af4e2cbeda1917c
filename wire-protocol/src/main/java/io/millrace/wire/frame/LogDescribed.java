package io.millrace.wire.frame;

import java.util.List;

/**
 * Answer to {@link DescribeLog}.
 *
 * @param corr of the request
 * @param config the configuration in force
 * @param partitions the partitions in order
 */
public record LogDescribed(int corr, List<DescribedConfig> config, List<PartitionDescription> partitions)
        implements AnswerFrame {

    /** Checks the ranges. */
    public LogDescribed {
        config = List.copyOf(config);
        partitions = List.copyOf(partitions);
    }

    static LogDescribed read(FieldReader in) {
        return new LogDescribed(
                in.i32("corr"),
                in.list("config", 3, DescribedConfig::read),
                in.list("partitions", 57, PartitionDescription::read));
    }

    static void write(FieldWriter out, LogDescribed frame) {
        out.i32(frame.corr);
        out.list(frame.config, DescribedConfig::write);
        out.list(frame.partitions, PartitionDescription::write);
    }

    @Override
    public FrameType type() {
        return FrameType.LOG_DESCRIBED;
    }
}
