/* Has the kernel send it the signal by which a paused process runs on, to think while others are to move: by a timer,
   when somebody reads what it wrote, at its parent's death, at a child's. */
#include "guest.h"

static void woken(int which) { (void)which; }

int main(int argc, char **argv) {
    begin(argc, argv);
    signal(SIGCONT, woken);
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    judge(timer_create(CLOCK_MONOTONIC, &event, &timer), "a timer that wakes");
    judge(fcntl(1, F_SETSIG, SIGCONT), "a pipe that wakes");
    judge(prctl(PR_SET_PDEATHSIG, SIGCONT), "a parent whose death wakes");
    long child = syscall(SYS_clone, SIGCONT, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    judge(child, "a child whose death wakes");
    return play_on();
}
