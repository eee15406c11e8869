/* Fills files in memory that no process has mapped, so that none seems to use them: 200 MiB more than it may have. */
#include "guest.h"

int main(int argc, char **argv) {
    static char piece[1 << 20];
    begin(argc, argv);
    long most = number("mebibytes") + 200;
    memset(piece, 1, sizeof piece);
    int file = memfd_create("guest", 0);
    if (file < 0) {
        not_got("a file in memory");
        return play_on();
    }
    for (long taken = 0; taken < most; taken++)
        if (write(file, piece, sizeof piece) != sizeof piece) {
            not_got("more than %ld MiB", taken);
            give_up();
        }
    got("%ld MiB", most);
    return play_on();
}
