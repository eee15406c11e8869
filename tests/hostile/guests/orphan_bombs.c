/* Takes memory in ten processes that have lost their parents; 200 MiB more in all than it may have, and no more. */
#include <errno.h>
#include <signal.h>

#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    long most = number("mebibytes") + 200, each = most / 10;
    int told[2];
    pid_t ones[10], one;
    if (pipe(told)) return 91;
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child == 0) {
            if (fork()) _exit(0);
            char *piece = malloc(each << 20);
            if (piece) use(piece, each << 20);
            one = piece ? getpid() : 0;
            if (write(told[1], &one, sizeof one) < 0) return 92;
            linger();
        }
        waitpid(child, NULL, 0);
    }
    close(told[1]);
    int full = 0;
    while (full < 10 && read(told[0], &one, sizeof one) == sizeof one && one) ones[full++] = one;
    if (full == 10) moment();
    int alive = 0;  /* where they fill one after the other, each may have been ended before the next began */
    for (int i = 0; i < full; i++) alive += kill(ones[i], 0) == 0 || errno != ESRCH;
    if (alive < 10) {
        not_got("all of %ld MiB: %d of ten processes", most, alive);
        give_up();
    }
    got("%ld MiB in ten processes", most);
    return play_on();
}
