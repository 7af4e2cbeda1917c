package io.millrace.broker.internal.partition;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait until more of a partition can be read, or until it cannot be read any more. Added and removed from any thread; told on
 * the shard, each time anew until removed. Most partitions have none, and then this holds nothing.
 */
final class ProgressWatchers {

    private volatile @Nullable Set<Runnable> watchers;

    /** Adds somebody. What became readable just before is not told: look once more after adding. */
    void add(Runnable watcher) {
        Set<Runnable> present = watchers;
        if (present == null) {
            synchronized (this) {
                present = watchers;
                if (present == null) {
                    present = ConcurrentHashMap.newKeySet();
                    watchers = present;
                }
            }
        }
        present.add(watcher);
    }

    void remove(Runnable watcher) {
        Set<Runnable> present = watchers;
        if (present != null) {
            present.remove(watcher);
        }
    }

    int count() {
        Set<Runnable> present = watchers;
        return present == null ? 0 : present.size();
    }

    void tell() {
        Set<Runnable> present = watchers;
        if (present != null) {
            present.forEach(Runnable::run);
        }
    }
}
