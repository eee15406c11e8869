/* Takes from other processes of the same user what they may use, and their turn on the processor, down to its death: but
   sets only what is set already, so that nobody is harmed. */
#include "guest.h"

#include <sched.h>
#include <sys/resource.h>

static void try(pid_t pid) {
    struct rlimit limit;
    struct sched_param none = {0};
    if (!syscall(SYS_prlimit64, pid, RLIMIT_CPU, NULL, &limit))
        if (!syscall(SYS_prlimit64, pid, RLIMIT_CPU, &limit, NULL)) got("the limits of %d", pid);
    errno = 0;
    int nice = getpriority(PRIO_PROCESS, pid);
    if (!errno && !setpriority(PRIO_PROCESS, pid, nice)) got("the priority of %d", pid);
    if (sched_getscheduler(pid) == SCHED_OTHER && !sched_setscheduler(pid, SCHED_OTHER, &none))
        got("the scheduling of %d", pid);
    not_got("%d", pid);
}

int main(int argc, char **argv) {
    begin(argc, argv);
    pid_t own = getpid();
    try(number("referee"));
    try(number("victim"));
    for (pid_t near = own > 64 ? own - 64 : 2; near < own + 64; near++)
        if (near != own && near != getppid()) try(near);
    return play_on();
}
