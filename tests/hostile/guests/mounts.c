/* Mounts a file system over its own folder, in a namespace of its own where it can have one. */
#include "guest.h"

#include <sched.h>
#include <sys/mount.h>

static int try_it(int boxed) {
    if (!unshare(CLONE_NEWNS) || !unshare(CLONE_NEWUSER | CLONE_NEWNS)) {
        if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) return errno;
    } else if (!boxed) return errno; /* never in the namespace of the operator */
    return mount("tmpfs", ".", "tmpfs", 0, "size=1m") ? errno : 0;
}

int main(int argc, char **argv) {
    begin(argc, argv);
    pid_t child = fork();
    if (child == 0) _exit(try_it(!*word("free")));
    judge_child(child, "a mount");
    return play_on();
}
