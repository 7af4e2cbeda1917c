/*
 * Makes the disk of one process misbehave. Loaded into it with LD_PRELOAD, this stands between the program and the C library's
 * write, pwrite, writev, fsync and fdatasync, for files below one directory only.
 *
 *   FAULT_SHIM_ROOT     the directory
 *   FAULT_SHIM_CONTROL  a file with one rule, read at every call, so that faults begin and end while the program runs:
 *
 *     GENERATION OPERATION ACTION ARGUMENT SKIP COUNT PATH
 *
 *   OPERATION  write | sync
 *   ACTION     fail (with errno ARGUMENT) | short (half of it is written) | slow (by ARGUMENT ms) | lie (nothing is done, success is said)
 *   SKIP       so many matching calls pass first
 *   COUNT      so many are hit then; 0: all
 *   PATH       what the file's path must contain
 *
 * A new GENERATION counts calls from 0 again. Each hit adds a line to the file FAULT_SHIM_CONTROL.hits.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct rule {
    long generation, argument, skip, count;
    char operation[16], action[16], path[256];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long counted_generation = -1;
static long seen;

static ssize_t real_write(int fd, const void *bytes, size_t length) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) next = (ssize_t (*)(int, const void *, size_t)) dlsym(RTLD_NEXT, "write");
    return next(fd, bytes, length);
}

static int read_rule(struct rule *rule) {
    const char *control = getenv("FAULT_SHIM_CONTROL");
    char text[512];
    int fd = control ? open(control, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return 0;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0) return 0;
    text[length] = 0;
    return sscanf(text, "%ld %15s %15s %ld %ld %ld %255s", &rule->generation, rule->operation, rule->action, &rule->argument,
                  &rule->skip, &rule->count, rule->path) == 7;
}

static void note_hit(const struct rule *rule, const char *path) {
    char name[512], line[1024];
    snprintf(name, sizeof name, "%s.hits", getenv("FAULT_SHIM_CONTROL"));
    int length = snprintf(line, sizeof line, "%ld %s %s %s\n", rule->generation, rule->operation, rule->action, path);
    int fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) return;
    if (real_write(fd, line, (size_t) length) < 0) { /* nobody can be told */ }
    close(fd);
}

/* Whether this call is to be hit, and how. Leaves errno alone. */
static int is_hit(int fd, const char *operation, struct rule *rule) {
    int saved = errno;
    const char *root = getenv("FAULT_SHIM_ROOT");
    char link[64], path[512];
    int hit = 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = root ? readlink(link, path, sizeof path - 1) : -1;
    if (length > 0) {
        path[length] = 0;
        if (!strncmp(path, root, strlen(root)) && read_rule(rule) && !strcmp(rule->operation, operation) &&
            strstr(path, rule->path)) {
            pthread_mutex_lock(&lock);
            if (counted_generation != rule->generation) {
                counted_generation = rule->generation;
                seen = 0;
            }
            seen++;
            hit = seen > rule->skip && (rule->count == 0 || seen <= rule->skip + rule->count);
            pthread_mutex_unlock(&lock);
            if (hit) note_hit(rule, path);
        }
    }
    errno = saved;
    return hit;
}

/* Applies a rule to a write: 1 if it has failed, else how much is to be written is in *length. */
static int hurt_write(int fd, size_t *length) {
    struct rule rule;
    if (!is_hit(fd, "write", &rule)) return 0;
    if (!strcmp(rule.action, "fail")) {
        errno = (int) rule.argument;
        return 1;
    }
    if (!strcmp(rule.action, "short") && *length > 1) *length /= 2;
    return 0;
}

ssize_t write(int fd, const void *bytes, size_t length) {
    return hurt_write(fd, &length) ? -1 : real_write(fd, bytes, length);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t position) {
    static ssize_t (*next)(int, const void *, size_t, off64_t);
    if (!next) next = (ssize_t (*)(int, const void *, size_t, off64_t)) dlsym(RTLD_NEXT, "pwrite64");
    return hurt_write(fd, &length) ? -1 : next(fd, bytes, length, position);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t position) {
    return pwrite64(fd, bytes, length, position);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    static ssize_t (*next)(int, const struct iovec *, int);
    if (!next) next = (ssize_t (*)(int, const struct iovec *, int)) dlsym(RTLD_NEXT, "writev");
    size_t first = count > 0 ? parts[0].iov_len : 0;
    size_t length = first;
    if (hurt_write(fd, &length)) return -1;
    return length == first ? next(fd, parts, count) : real_write(fd, parts[0].iov_base, length);
}

static int hurt_sync(int fd, int (*next)(int)) {
    struct rule rule;
    if (is_hit(fd, "sync", &rule)) {
        if (!strcmp(rule.action, "fail")) {
            errno = (int) rule.argument;
            return -1;
        }
        if (!strcmp(rule.action, "lie")) return 0;
        if (!strcmp(rule.action, "slow")) {
            struct timespec pause = {rule.argument / 1000, (rule.argument % 1000) * 1000000L};
            nanosleep(&pause, NULL);
        }
    }
    return next(fd);
}

int fsync(int fd) {
    static int (*next)(int);
    if (!next) next = (int (*)(int)) dlsym(RTLD_NEXT, "fsync");
    return hurt_sync(fd, next);
}

int fdatasync(int fd) {
    static int (*next)(int);
    if (!next) next = (int (*)(int)) dlsym(RTLD_NEXT, "fdatasync");
    return hurt_sync(fd, next);
}
