/* Takes the kernel's memory: pipes, each full and never read; a few MiB more than it may have, which is nearly all that
   Linux lets so many processes have. */
#include "guest.h"

enum { PROCESSES = 27, PIPES = 500 };

int main(int argc, char **argv) {
    begin(argc, argv);
    static char piece[4096];
    long most = (number("mebibytes") + 8) << 20;
    volatile long *left = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int told[2], ends[2];
    if (pipe(told)) return 91;
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            for (int made = 0; *left < most && made < PIPES && !pipe(ends); made++) {
                fcntl(ends[1], F_SETFL, O_NONBLOCK);
                for (ssize_t sent; (sent = write(ends[1], piece, sizeof piece)) > 0;) __sync_fetch_and_add(left, sent);
            }
            if (write(told[1], piece, 1) < 0) return 92;
            alarm(60);
            for (;;) pause();
        }
    close(told[1]);
    for (int i = 0; i < PROCESSES && read(told[0], piece, 1) == 1; i++) {}
    moment();
    if (*left >= most) got("%ld MiB", *left >> 20);
    else not_got("more than %ld MiB", *left >> 20);
    return play_on();
}
