/* Answers, and then keeps the lock of its standard output: splice(2) waits for a socket on which nothing ever comes. */
#include "guest.h"

int main(int argc, char **argv) {
    int ends[2];
    begin(argc, argv);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 91;
    for (;;) splice(ends[0], NULL, 1, NULL, 4096, 0);
}
