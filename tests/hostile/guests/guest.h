/* What the hostile guests in C share: the protocol, what they are told, and the marks by which they report.

   A mark is a line on standard error: GOT (the attack succeeded), NOT (it was refused, and why), ABSENT (this machine
   has nothing of the kind). Every guest stops by itself, also where nothing holds it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char words[4096]; /* from the command line, in hexadecimal digits: a path there would be shown in the box */

/* What follows `name=` on a line of the words; nothing when it is not there. */
static inline const char *word(const char *name) {
    static char found[512];
    size_t length = strlen(name);
    for (char *line = words; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (!strncmp(line, name, length) && line[length] == '=') {
            snprintf(found, sizeof found, "%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
            return strdup(found);
        }
    return "";
}

static inline long number(const char *name) { return atol(word(name)); }

static inline void mark(const char *kind, const char *format, va_list rest, const char *why) {
    char what[400], line[512];
    vsnprintf(what, sizeof what, format, rest);
    int length = snprintf(line, sizeof line, why ? "%s %s: %s\n" : "%s %s\n", kind, what, why);
    if (write(2, line, length) < 0) _exit(90);
}

static inline void got(const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    mark("GOT", format, rest, NULL);
    va_end(rest);
}

static inline void not_got(const char *format, ...) {
    const char *why = strerror(errno);
    va_list rest;
    va_start(rest, format);
    mark("NOT", format, rest, why);
    va_end(rest);
}

static inline void absent(const char *format, ...) {
    const char *why = strerror(errno);
    va_list rest;
    va_start(rest, format);
    mark("ABSENT", format, rest, why);
    va_end(rest);
}

/* GOT or NOT, as a system call says by what it returns. */
static inline void judge(long returned, const char *what) {
    if (returned >= 0) got("%s", what);
    else not_got("%s", what);
}

/* Read a whole prompt; 0 when the match is over. */
static inline int asked(void) {
    char line[512];
    while (fgets(line, sizeof line, stdin))
        if (!strcmp(line, "EOD\n")) return 1;
    return 0;
}

static inline void say(const char *text) {
    fputs(text, stdout);
    fflush(stdout);
}

/* Say READY, and wait to be asked for the first time. No guest lives longer than a minute. */
static inline void begin(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "words=", 6)) continue;
        const char *digits = argv[i] + 6;
        for (size_t at = 0; at < sizeof words - 1 && sscanf(digits + 2 * at, "%2hhx", (unsigned char *)words + at) == 1;)
            at++;
    }
    alarm(60);
    say("READY\n");
    if (!asked()) exit(0);
}

/* Use every page of a piece of memory; no compiler can leave this out. */
static inline void use(volatile char *piece, size_t size) {
    for (size_t at = 0; at < size; at += 4096) piece[at] = 1;
}

/* Wait as long as the guest is told: who only looks now and then gets the chance to see it, and to end it. */
static inline void moment(void) {
    struct timespec patience = {number("patience"), 0};
    nanosleep(&patience, NULL);
}

/* End as a program does that was refused what it needs. */
static inline void give_up(void) { _exit(1); }

/* In a child: keep nothing of the bot's open, and live a minute at most, doing nothing. */
static inline void linger(void) {
    alarm(60);
    for (int i = 0; i < 64; i++) close(i);
    for (;;) pause();
}

/* Do nothing until the match is over. */
static inline int play_on(void) {
    do say("N\n");
    while (asked());
    return 0;
}

/* Report on a child that was to try something, by its exit status 0 or an errno. */
static inline void judge_child(pid_t child, const char *what) {
    int status = 0;
    if (child < 0) {
        not_got("%s", what);
        return;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    errno = WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
    if (WIFEXITED(status) && !WEXITSTATUS(status)) got("%s", what);
    else not_got("%s", what);
}
