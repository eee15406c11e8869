/* No guest, but who sits beside them: does nothing, and reports signals that nobody should have sent it. */
#include "guest.h"

static void hit(int which) {
    (void)which;
    got("a signal came to a neighbour");
}

int main(int argc, char **argv) {
    signal(SIGURG, hit);
    begin(argc, argv);
    return play_on();
}
