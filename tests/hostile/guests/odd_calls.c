/* Tries rare system calls, one after the other, with arguments that no kernel takes: one that may be called says so by
   another error than EPERM and ENOSYS. Then what ordinary calls do by rare arguments. */
#include "guest.h"

#include <net/if.h>
#include <sys/ioctl.h>

struct call {
    const char *name;
    long number;
};

/* By number where the C library's headers may be older: these are the same on every architecture. */
static const struct call calls[] = {
    {"ptrace", SYS_ptrace}, {"bpf", SYS_bpf}, {"perf_event_open", SYS_perf_event_open}, {"userfaultfd", SYS_userfaultfd},
    {"seccomp", SYS_seccomp}, {"kcmp", SYS_kcmp}, {"keyctl", SYS_keyctl}, {"add_key", SYS_add_key}, {"mount", SYS_mount},
    {"chroot", SYS_chroot}, {"pivot_root", SYS_pivot_root}, {"setns", SYS_setns}, {"unshare", SYS_unshare},
    {"process_vm_readv", SYS_process_vm_readv}, {"vmsplice", SYS_vmsplice}, {"syncfs", SYS_syncfs},
    {"io_setup", SYS_io_setup}, {"io_submit", SYS_io_submit}, {"mq_open", SYS_mq_open}, {"semget", SYS_semget},
    {"msgget", SYS_msgget}, {"shmget", SYS_shmget}, {"fanotify_init", SYS_fanotify_init}, {"fanotify_mark", SYS_fanotify_mark},
    {"name_to_handle_at", SYS_name_to_handle_at}, {"open_by_handle_at", SYS_open_by_handle_at},
    {"move_pages", SYS_move_pages}, {"migrate_pages", SYS_migrate_pages}, {"remap_file_pages", SYS_remap_file_pages},
    {"get_robust_list", SYS_get_robust_list}, {"inotify_init1", SYS_inotify_init1}, {"timer_create", SYS_timer_create},
    {"setgroups", SYS_setgroups}, {"capset", SYS_capset}, {"quotactl", SYS_quotactl}, {"finit_module", SYS_finit_module},
    {"pidfd_getfd", 438}, {"process_madvise", 440}, {"fsopen", 430}, {"fsmount", 432}, {"open_tree", 428},
    {"move_mount", 429}, {"mount_setattr", 442}, {"io_uring_setup", 425}, {"io_uring_enter", 426}, {"clone3", 435},
    {"landlock_create_ruleset", 444}, {"memfd_secret", 447}, {"futex_waitv", 449}, {"set_mempolicy_home_node", 450},
    {"cachestat", 451}, {"statmount", 457}, {"listmount", 458}, {"lsm_list_modules", 461}, {"setxattrat", 463}};

static void by_arguments(void) {
    int pair[2];
    struct ifconf networks = {0};
    if (!socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) {
        if (!ioctl(pair[0], SIOCGIFCONF, &networks)) got("the networks' names");
        if (!fcntl(pair[0], F_SETOWN, getpid())) got("signals about a socket");
    }
    if (!prctl(36, 0, 0, 0, 0)) got("that its orphans are another's");
    if (!prctl(0x59616d61, -1L, 0, 0, 0)) got("that anybody may trace it");
    if (syscall(SYS_personality, 0x0400000L) >= 0) got("memory that can all be executed");
    if (number("free")) return; /* the referee would have to collect it */
    long child = syscall(SYS_clone, 0x8000 | SIGCHLD, 0, 0, 0, 0); /* CLONE_PARENT */
    if (!child) _exit(0);
    if (child > 0) got("a child that is its parent's");
}

int main(int argc, char **argv) {
    begin(argc, argv);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        errno = 0;
        long said = syscall(calls[i].number, -1L, -1L, -1L, -1L, -1L, -1L);
        if (said >= 0 || (errno != EPERM && errno != ENOSYS)) got("%s: %s", calls[i].name, strerror(errno));
    }
    by_arguments();
    errno = EPERM;
    not_got("any rare call");
    return play_on();
}
