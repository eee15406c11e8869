/* Asks for every processor of the machine, for itself and for a child: more than its match's share. */
#include "guest.h"
#include <sched.h>
#include <sys/wait.h>

static long ask(void) {
    unsigned long all[16];
    memset(all, 0xff, sizeof all);
    return syscall(SYS_sched_setaffinity, 0, sizeof all, all);
}

int main(int argc, char **argv) {
    begin(argc, argv);
    judge(ask(), "all processors");
    pid_t child = fork();
    if (child == 0) _exit(ask() == 0);
    int status = 0;
    waitpid(child, &status, 0);
    judge(WEXITSTATUS(status) ? 0 : -1, "all processors, for a child");
    return play_on();
}
