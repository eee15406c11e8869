/* A bot that tells its own clock, and is late in one of several ways when it is told to be.
 *
 *     told_bot KIND MILLISECONDS TURN          lives for a match of Drop-Block
 *     told_bot KIND MILLISECONDS TURN VIEW     lives for a turn of aBOTcalypse: the view is the last word
 *
 * In its own turn TURN, counted from 1 (0: never), it does what KIND says for so long, and answers then; in all others
 * it answers at once: U, R, D, L in rotation, so that nobody attacks. At SIGABRT, which it is sent when its time is
 * over, it writes to standard error when it had read its input, when it had written its answer (nanoseconds of
 * CLOCK_MONOTONIC; 0: not yet), its major page faults, and how often it gave up its processor or lost it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MEBIBYTE (1 << 20)

static volatile long has_read, has_written;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void tell(int number) {
    struct rusage used;
    char line[200];
    getrusage(RUSAGE_SELF, &used);
    int length = snprintf(line, sizeof line, "read=%ld wrote=%ld told=%ld majflt=%ld gave_up=%ld lost=%ld\n", has_read,
                          has_written, now(), used.ru_majflt, used.ru_nvcsw, used.ru_nivcsw);
    if (write(STDERR_FILENO, line, (size_t)length) < 0) _exit(1);
    _exit(number);
}

static void rest(long nanoseconds) {
    struct timespec time = {nanoseconds / 1000000000L, nanoseconds % 1000000000L};
    nanosleep(&time, NULL);
}

static long used(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

/* Whoever computes has to do so for so long, on a processor; the others for so long by the watch. */
static void spin(long until) {
    long end = used() + until - now();
    while (used() < end) continue;
}

/* --- the ways to be late */

static void sleeps(long until) {
    rest(until - now());
}

static void naps(long until) {
    while (now() < until) rest(1000000);
}

static void awaits_child(long until) {
    pid_t child = fork();
    if (child == 0) {
        rest(until - now());
        _exit(0);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

static pthread_mutex_t turns[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *alternate(void *words) {
    long end = used() + ((long *)words)[0] - now(), which = ((long *)words)[1];
    while (used() < end) {
        pthread_mutex_lock(&turns[which]);
        spin(now() + 500000);
        pthread_mutex_unlock(&turns[1 - which]);
    }
    pthread_mutex_unlock(&turns[1 - which]);
    return NULL;
}

static void two_threads(long until) {
    long first[2] = {until, 0}, second[2] = {until, 1};
    pthread_t other;
    pthread_mutex_lock(&turns[1]);
    if (pthread_create(&other, NULL, alternate, second) != 0) return spin(until);
    alternate(first);
    pthread_join(other, NULL);
}

/* A file that is there in every layer of the sandbox, and large. */
static int large_file(long *size) {
    static const char *names[] = {"/usr/lib/x86_64-linux-gnu/libc.a", "/usr/lib/x86_64-linux-gnu/libc.so.6",
                                  "/usr/lib/aarch64-linux-gnu/libc.so.6", "/lib64/libc.so.6", "/proc/self/exe"};
    for (size_t which = 0; which < sizeof names / sizeof *names; which++) {
        struct stat known;
        int file = open(names[which], O_RDONLY);
        if (file >= 0 && fstat(file, &known) == 0) {
            *size = known.st_size;
            return file;
        }
    }
    return -1;
}

static void reads_disk(long until) {
    long lasts = until - now(), size = 0, at = 0;
    static char block[65536] __attribute__((aligned(4096)));
    int file = large_file(&size), direct = fcntl(file, F_SETFL, O_DIRECT);
    while (file >= 0 && now() < until) {
        if (direct != 0) posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        if (pread(file, block, sizeof block, at) <= 0) at = 0;
        at = at + (long)sizeof block < size ? at + (long)sizeof block : 0;
    }
    close(file);
    spin(now() + lasts);
}

static void faults_pages(long until) {
    long lasts = until - now(), size = 0, sum = 0;
    int file = large_file(&size);
    while (file >= 0 && now() < until) {
        volatile char *pages = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0);
        if (pages == MAP_FAILED) break;
        for (long at = 0; at < size && now() < until; at += 4096) sum += pages[at];
        madvise((void *)pages, (size_t)size, 21); /* MADV_PAGEOUT */
        munmap((void *)pages, (size_t)size);
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    }
    close(file);
    spin(now() + lasts);
}

static void syncs(long until) {
    long lasts = until - now();
    char name[] = "/tmp/told_bot.XXXXXX", block[65536] = {0};
    int file = mkstemp(name);
    unlink(name);
    while (file >= 0 && now() < until) {
        if (pwrite(file, block, sizeof block, 0) < 0 || fsync(file) != 0) break;
    }
    close(file);
    sleeps(now() + lasts);
}

static void starts_processes(long until) {
    for (long spent = 0, lasts = until - now(); spent < lasts;) {
        pid_t child = fork();
        if (child == 0) {
            spin(now() + 2000000);
            _exit(0);
        }
        if (child > 0) waitpid(child, NULL, 0);
        struct rusage gone;
        getrusage(RUSAGE_CHILDREN, &gone);
        spent = (gone.ru_utime.tv_sec + gone.ru_stime.tv_sec) * 1000000000L + used() +
                (gone.ru_utime.tv_usec + gone.ru_stime.tv_usec) * 1000L;
    }
}

static void ends_no_line(long until) {
    if (write(STDOUT_FILENO, "U", 1) != 1) _exit(1);
    rest(until - now());
}

static void quick(long until) {
    (void)until;
}

static const struct {
    const char *name;
    void (*run)(long until);
} kinds[] = {{"quick", quick},          {"sleeps", sleeps},           {"naps", naps},
             {"spins", spin},           {"child", awaits_child},      {"threads", two_threads},
             {"reads", reads_disk},     {"faults", faults_pages},     {"syncs", syncs},
             {"starts", starts_processes}, {"no-line", ends_no_line}};

int main(int count, char **words) {
    static const char answers[4][2] = {{'U', '\n'}, {'R', '\n'}, {'D', '\n'}, {'L', '\n'}};
    static char input[4096];
    if (count < 4) return 2;
    void (*run)(long until) = quick;
    for (size_t which = 0; which < sizeof kinds / sizeof *kinds; which++)
        if (strcmp(words[1], kinds[which].name) == 0) run = kinds[which].run;
    long lasts = atol(words[2]) * 1000000L, own = atol(words[3]), turn = 0;
    signal(SIGABRT, tell);
    if (count > 4) { /* it lives for a turn */
        const char *number = getenv("DOHYO_TURN");
        if (number != NULL && atol(number) + 1 == own) run(now() + lasts);
        return write(STDOUT_FILENO, "rest\n", 5) == 5 ? 0 : 1;
    }
    if (write(STDOUT_FILENO, "READY\n", 6) != 6) return 1;
    for (size_t filled = 0;;) {
        ssize_t got = read(STDIN_FILENO, input + filled, sizeof input - filled);
        if (got <= 0) return 0;
        filled += (size_t)got;
        if (filled < 4 || memcmp(input + filled - 4, "EOD\n", 4) != 0) continue;
        filled = 0;
        has_written = 0;
        has_read = now();
        if (++turn == own) run(has_read + lasts);
        if (write(STDOUT_FILENO, answers[turn % 4], 2) != 2) return 0;
        has_written = now();
    }
}
