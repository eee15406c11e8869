/* The cheapest bot that plays Wondev Woman in every league: it does the first of the actions that it is offered.
 *
 * It reads to the end of its input's last line, which the number of actions tells, and copies one line.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char input[65536];
static size_t filled;

/* The line that begins at `start`: a pointer behind it, once it is there. */
static char *next(char *start) {
    for (;;) {
        char *end = memchr(start, '\n', (size_t)(input + filled - start));
        if (end) return end + 1;
        ssize_t count = read(STDIN_FILENO, input + filled, sizeof input - filled);
        if (count <= 0) exit(0);
        filled += (size_t)count;
    }
}

int main(void) {
    char *at = input, *line;
    int size, units;

    line = at, at = next(at), size = atoi(line);
    line = at, at = next(at), units = atoi(line);
    for (;;) {
        for (int i = 0; i < size + 2 * units; i++) at = next(at);
        line = at, at = next(at);
        int actions = atoi(line);
        char *first = at, *end = at;
        for (int i = 0; i < actions; i++) {
            at = next(at);
            if (i == 0) end = at;
        }
        if (actions == 0) first = "ACCEPT-DEFEAT\n", end = first + 14;
        if (write(STDOUT_FILENO, first, (size_t)(end - first)) < 0) return 0;
        filled = 0;
        at = input;
    }
}
