/* A bot of Drop-Block that uses so many microseconds of processor time in each turn, and may hang in one of them.
 *
 *     thinking_bot MICROSECONDS [TURN]
 *
 * Turns are its own, counted from 1; it sleeps for ever in that one. It answers U, R, D, L in rotation: nobody attacks,
 * so that a match goes to its turn limit.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long used(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

int main(int count, char **words) {
    static const char answers[4][2] = {{'U', '\n'}, {'R', '\n'}, {'D', '\n'}, {'L', '\n'}};
    char input[4096];
    size_t filled = 0;
    long think = count > 1 ? atol(words[1]) : 0, hangs = count > 2 ? atol(words[2]) : 0, turn = 0;

    if (write(STDOUT_FILENO, "READY\n", 6) != 6) return 1;
    for (;;) {
        ssize_t got = read(STDIN_FILENO, input + filled, sizeof input - filled);
        if (got <= 0) return 0;
        filled += (size_t)got;
        if (filled < 4 || memcmp(input + filled - 4, "EOD\n", 4) != 0) continue;
        filled = 0;
        if (++turn == hangs)
            for (;;) pause();
        for (long end = used() + think; used() < end;) continue;
        if (write(STDOUT_FILENO, answers[turn % 4], 2) != 2) return 0;
    }
}
