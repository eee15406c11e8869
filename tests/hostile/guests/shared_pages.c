/* Takes memory that processes share, a piece in each of four: 200 MiB more than it may have, and no more. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    long most = number("mebibytes") + 200, each = most / 4;
    int told[2];
    char done;
    if (pipe(told)) return 91;
    for (int i = 0; i < 4; i++) {
        pid_t child = fork();
        if (child < 0) not_got("process %d", i);
        if (child == 0) {
            char *piece = mmap(NULL, each << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            if (piece != MAP_FAILED) use(piece, each << 20);
            done = piece != MAP_FAILED ? 'y' : 'n';
            if (write(told[1], &done, 1) < 0) return 92;
            linger();
        }
    }
    close(told[1]);
    int full = 0;
    for (int i = 0; i < 4 && read(told[0], &done, 1) == 1; i++) full += done == 'y';
    if (full == 4) {
        moment();
        got("%ld MiB", most);
        return play_on();
    }
    not_got("all of %ld MiB: %d of four processes", most, full);
    give_up();
}
