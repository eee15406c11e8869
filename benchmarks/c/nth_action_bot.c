/* The cheapest bots of Wondev Woman that play differently: in its turns each does another one of its legal actions.
 *
 * WHICH, a number, tells one bot from the next. Like first_action_bot.c it reads to the end of its input's last line,
 * which the number of actions tells, and copies one line.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef WHICH
#define WHICH 0
#endif

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
    unsigned turn = 0;
    int size, units;

    line = at, at = next(at), size = atoi(line);
    line = at, at = next(at), units = atoi(line);
    for (;;) {
        for (int i = 0; i < size + 2 * units; i++) at = next(at);
        line = at, at = next(at);
        unsigned actions = (unsigned)atoi(line), wanted = actions ? (WHICH * 7 + turn++ * (WHICH + 1)) % actions : 0;
        char *chosen = at, *end = at;
        for (unsigned i = 0; i < actions; i++) {
            char *start = at;
            at = next(at);
            if (i == wanted) chosen = start, end = at;
        }
        if (actions == 0) chosen = "ACCEPT-DEFEAT\n", end = chosen + 14;
        if (write(STDOUT_FILENO, chosen, (size_t)(end - chosen)) != end - chosen) return 0;
        size_t rest = (size_t)(input + filled - at);
        memmove(input, at, rest);
        filled = rest, at = input;
    }
}
