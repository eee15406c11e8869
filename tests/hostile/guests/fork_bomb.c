/* Starts processes that start processes, and stops at 300 of them. */
#include "guest.h"

#include <sched.h>

static int *started; /* shared by all of them */

static void multiply(void) {
    while (__atomic_add_fetch(started, 1, __ATOMIC_SEQ_CST) <= 300) {
        pid_t child = fork();
        if (child < 0) {
            int refused = __atomic_add_fetch(started + 1, 1, __ATOMIC_SEQ_CST);
            if (refused == 1) not_got("processes");
            __atomic_sub_fetch(started, 1, __ATOMIC_SEQ_CST);
            if (refused > 1000) return;
            sched_yield();
        }
    }
}

int main(int argc, char **argv) {
    begin(argc, argv);
    started = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t first = getpid();
    multiply();
    if (getpid() != first) {
        alarm(60); /* a child has no alarm of its parent's */
        for (;;) pause();
    }
    if (*started > 300) got("300 processes");
    return play_on();
}
