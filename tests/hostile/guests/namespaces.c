/* Makes new namespaces, in which much is allowed that is not allowed outside, by each of the calls that can. */
#include "guest.h"

#include <linux/sched.h>
#include <sched.h>

int main(int argc, char **argv) {
    begin(argc, argv);
    const struct { const char *name; int flag; } all[] = {
        {"user", CLONE_NEWUSER}, {"mount", CLONE_NEWNS}, {"pid", CLONE_NEWPID}, {"net", CLONE_NEWNET},
        {"ipc", CLONE_NEWIPC},   {"uts", CLONE_NEWUTS},  {"cgroup", CLONE_NEWCGROUP},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char what[64];
        pid_t child = fork();
        if (child == 0) _exit(unshare(all[i].flag) ? errno : 0);
        snprintf(what, sizeof what, "%s namespace by unshare", all[i].name);
        judge_child(child, what);
    }
    long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    judge_child(child, "user namespace by clone");
    struct clone_args wanted = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
    child = syscall(SYS_clone3, &wanted, sizeof wanted);
    if (child == 0) _exit(0);
    judge_child(child, "user namespace by clone3");
    return play_on();
}
