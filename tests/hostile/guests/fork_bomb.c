/* Starts processes that start processes, and stops at 300 of them. */
#include "guest.h"

static int *started; /* shared by all of them: how many there are, and whether one was refused */

static void multiply(void) {
    while (!started[1] && __atomic_add_fetch(started, 1, __ATOMIC_SEQ_CST) <= 300)
        if (fork() < 0 && !__atomic_fetch_add(started + 1, 1, __ATOMIC_SEQ_CST)) not_got("process %d", *started);
}

int main(int argc, char **argv) {
    begin(argc, argv);
    started = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t first = getpid();
    multiply();
    if (getpid() != first) linger();
    if (started[1]) give_up();
    moment();
    got("300 processes");
    return play_on();
}
