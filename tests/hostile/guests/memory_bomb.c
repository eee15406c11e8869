/* Takes memory in one process: 200 MiB more than it may have, and no more. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    long most = number("mebibytes") + 200;
    for (long taken = 0; taken < most; taken += 4) {
        void *piece = malloc(4 << 20);
        if (!piece) {
            not_got("more than %ld MiB", taken);
            give_up();
        }
        use(piece, 4 << 20);
    }
    moment();
    got("%ld MiB", most);
    return play_on();
}
