/* Fills files in memory that no process has mapped, so that none seems to use them: 200 MiB more than it may have.

   Each is small, since there is a limit on files too. */
#include "guest.h"

enum { EACH = 8 }; /* MiB */

int main(int argc, char **argv) {
    static char piece[1 << 20];
    begin(argc, argv);
    long most = number("mebibytes") + 200;
    int file = -1;
    memset(piece, 1, sizeof piece);
    for (long taken = 0; taken < most; taken++) {
        if (taken % EACH == 0 && (file = memfd_create("guest", 0)) < 0) {
            not_got("a file in memory");
            return play_on();
        }
        if (write(file, piece, sizeof piece) != sizeof piece) {
            not_got("more than %ld MiB", taken);
            give_up();
        }
    }
    moment();
    got("%ld MiB", most);
    return play_on();
}
