/* Keeps the lock of its standard error, into which it has just written: splice(2) waits for a socket on which nothing
   ever comes. */
#include "guest.h"

int main(int argc, char **argv) {
    int ends[2];
    begin(argc, argv);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 91;
    if (write(2, "here\n", 5) < 0) return 92;
    for (;;) splice(ends[0], NULL, 2, NULL, 4096, 0);
}
