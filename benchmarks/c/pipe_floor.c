/* The floor under a match: the bare exchange of the same bytes with the same bots, with blocking writes and reads.
 *
 *     pipe_floor RECORDING SEATS READY PROGRAM...
 *
 * RECORDING holds one record after the other: seat and length (two 32-bit numbers of this machine), then as many bytes
 * of input. One process of PROGRAM... is started for each of SEATS; each must first print the line READY, unless that
 * is empty. Then every record is written to its seat, and one line read from there. Nothing is looked at, nothing is
 * judged.
 *
 * Prints the moment at which each exchange ended, in nanoseconds of the monotonic clock, when all are done.
 */

#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST_SEATS = 128 };

static int to[MOST_SEATS], from[MOST_SEATS];
static pid_t process[MOST_SEATS];

static void fail(const char *what) {
    fprintf(stderr, "pipe_floor: %s\n", what);
    exit(1);
}

static void start(int seat, char **command) {
    int input[2], output[2];
    posix_spawn_file_actions_t actions;
    if (pipe(input) || pipe(output)) fail("pipe");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    for (int other = 0; other < seat; other++) {
        posix_spawn_file_actions_addclose(&actions, to[other]);
        posix_spawn_file_actions_addclose(&actions, from[other]);
    }
    posix_spawn_file_actions_addclose(&actions, input[0]);
    posix_spawn_file_actions_addclose(&actions, input[1]);
    posix_spawn_file_actions_addclose(&actions, output[0]);
    posix_spawn_file_actions_addclose(&actions, output[1]);
    if (posix_spawn(&process[seat], command[0], &actions, NULL, command, environ)) fail("cannot start the bot");
    posix_spawn_file_actions_destroy(&actions);
    close(input[0]);
    close(output[1]);
    to[seat] = input[1];
    from[seat] = output[0];
}

/* Read one line; its length without the newline. The bots write nothing beyond it. */
static size_t read_line(int seat, char *line, size_t size) {
    size_t filled = 0;
    do {
        ssize_t count = read(from[seat], line + filled, size - filled);
        if (count <= 0) fail("a bot has ended");
        filled += (size_t)count;
    } while (line[filled - 1] != '\n');
    return filled - 1;
}

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) fail("cannot read the recording");
    *length = (size_t)ftell(file);
    rewind(file);
    char *content = malloc(*length);
    if (!content || fread(content, 1, *length, file) != *length) fail("cannot read the recording");
    fclose(file);
    return content;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int main(int count, char **words) {
    if (count < 5) fail("RECORDING SEATS READY PROGRAM...");
    size_t length;
    char *recording = read_file(words[1], &length), *end = recording + length, line[65536];
    int seats = atoi(words[2]);
    if (seats < 1 || seats > MOST_SEATS) fail("too many seats");
    for (int seat = 0; seat < seats; seat++) start(seat, words + 4);
    for (int seat = 0; *words[3] && seat < seats; seat++) {
        size_t got = read_line(seat, line, sizeof line);
        if (got != strlen(words[3]) || memcmp(line, words[3], got)) fail("a bot is not ready");
    }

    int64_t *ends = malloc(length / sizeof(uint32_t[2]) * sizeof *ends);
    if (!ends) fail("no memory");
    size_t exchanges = 0;
    for (char *at = recording; at < end;) {
        uint32_t head[2];
        memcpy(head, at, sizeof head);
        at += sizeof head;
        if (write(to[head[0]], at, head[1]) != (ssize_t)head[1]) fail("a bot does not read");
        at += head[1];
        read_line((int)head[0], line, sizeof line);
        ends[exchanges++] = now();
    }
    for (size_t i = 0; i < exchanges; i++) printf("%lld\n", (long long)ends[i]);

    for (int seat = 0; seat < seats; seat++) close(to[seat]);
    for (int seat = 0; seat < seats; seat++) waitpid(process[seat], NULL, 0);
    return 0;
}
