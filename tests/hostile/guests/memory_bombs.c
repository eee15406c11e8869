/* Takes memory in ten processes, each far below the limit; 200 MiB more in all than it may have, and no more. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    long most = number("mebibytes") + 200, each = most / 10;
    int told[2];
    char done;
    if (pipe(told)) return 91;
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child < 0) not_got("process %d", i);
        if (child == 0) {
            char *piece = malloc(each << 20);
            if (piece) use(piece, each << 20);
            done = piece ? 'y' : 'n';
            if (write(told[1], &done, 1) < 0) return 92;
            linger();
        }
    }
    close(told[1]);
    int full = 0;
    for (int i = 0; i < 10 && read(told[0], &done, 1) == 1; i++) full += done == 'y';
    if (full < 10) {
        not_got("all of %ld MiB: %d of ten processes", most, full);
        give_up();
    }
    moment();
    int ended = 0;
    while (waitpid(-1, NULL, WNOHANG) > 0) ended++;
    if (ended) { /* what they had was taken back before the others had theirs */
        not_got("all of %ld MiB at once: %d of ten processes ended", most, ended);
        give_up();
    }
    got("%ld MiB in ten processes", most);
    return play_on();
}
