/* Takes the kernel's memory: pipes, each full and never read; a few MiB more than it may have, which is nearly all that
   Linux lets so many processes have. */
#include "guest.h"

enum { PROCESSES = 27, PIPES = 500 };

int main(int argc, char **argv) {
    begin(argc, argv);
    static char piece[4096];
    long most = (number("mebibytes") + 8) << 20, each = most / PROCESSES, all = 0, left = 0;
    int told[2], ends[2];
    if (pipe(told)) return 91;
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            for (int made = 0; left < each && made < PIPES && !pipe(ends); made++) {
                fcntl(ends[1], F_SETFL, O_NONBLOCK);
                for (ssize_t sent; left < each && (sent = write(ends[1], piece, sizeof piece)) > 0;) left += sent;
            }
            if (write(told[1], &left, sizeof left) < 0) return 92;
            alarm(60);
            for (;;) pause();
        }
    close(told[1]);
    for (int i = 0; i < PROCESSES && read(told[0], &left, sizeof left) == sizeof left; i++) all += left;
    moment();
    if (all >= most - PROCESSES * 8192L) got("%ld MiB", all >> 20);
    else not_got("more than %ld MiB", all >> 20);
    return play_on();
}
