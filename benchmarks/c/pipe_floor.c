/* The floor under a match: the bare exchange of the same bytes with the same bots, with blocking writes and reads.
 *
 *     pipe_floor RECORDING READY [INPUT OUTPUT]...
 *
 * The bots run already: INPUT and OUTPUT are the numbers of the descriptors that lead to each one's input and come from
 * its output, seat by seat. RECORDING holds one record after the other: seat and length (two 32-bit numbers of this
 * machine), then as many bytes of input. Each bot must first print the line READY, unless that is empty. Then every
 * record is written to its seat, and one line read from there. Nothing is looked at, nothing is judged.
 *
 * Prints how many nanoseconds all exchanges took together.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SEATS = 128 };

static int to[MAX_SEATS], from[MAX_SEATS];

static void fail(const char *what) {
    fprintf(stderr, "pipe_floor: %s\n", what);
    exit(1);
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
    if (count < 5 || count % 2 == 0) fail("RECORDING READY [INPUT OUTPUT]...");
    size_t length;
    char *recording = read_file(words[1], &length), *end = recording + length, line[65536];
    int seats = (count - 3) / 2;
    if (seats > MAX_SEATS) fail("too many seats");
    for (int seat = 0; seat < seats; seat++) {
        to[seat] = atoi(words[3 + 2 * seat]);
        from[seat] = atoi(words[4 + 2 * seat]);
    }
    for (int seat = 0; *words[2] && seat < seats; seat++) {
        size_t got = read_line(seat, line, sizeof line);
        if (got != strlen(words[2]) || memcmp(line, words[2], got)) fail("a bot is not ready");
    }

    int64_t begin = now();
    for (char *at = recording; at < end;) {
        uint32_t head[2];
        memcpy(head, at, sizeof head);
        at += sizeof head;
        if (write(to[head[0]], at, head[1]) != (ssize_t)head[1]) fail("a bot does not read");
        at += head[1];
        read_line((int)head[0], line, sizeof line);
    }
    printf("%lld\n", (long long)(now() - begin));
    return 0;
}
