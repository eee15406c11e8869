/* Opens its own input for writing, and keeps its lock: splice(2) waits for a socket on which nothing ever comes. It
   does so in a child, and answers once more, so that the referee has something to send. */
#include "guest.h"

int main(int argc, char **argv) {
    int ends[2];
    begin(argc, argv);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 91;
    int input = open("/proc/self/fd/0", O_WRONLY);
    if (input < 0) {
        not_got("its input to write to");
        for (;;) pause();
    }
    if (fork() == 0) for (;;) splice(ends[0], NULL, input, NULL, 4096, 0);
    say("N\n");
    for (;;) pause();
}
