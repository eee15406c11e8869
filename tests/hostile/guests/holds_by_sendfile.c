/* Keeps the lock of its standard output, by sendfile(2) from a socket on which nothing ever comes. */
#include "guest.h"
#include <sys/sendfile.h>

int main(int argc, char **argv) {
    int ends[2];
    begin(argc, argv);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 91;
    for (;;) sendfile(1, ends[0], NULL, 4096);
}
