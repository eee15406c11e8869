/* Takes hold of another process: traces it, and reads its memory by other ways. */
#include "guest.h"

#include <sys/ptrace.h>
#include <sys/uio.h>

int main(int argc, char **argv) {
    begin(argc, argv);
    pid_t victim = number("victim");
    unsigned long where = strtoul(word("address"), NULL, 16);
    char name[64], seen[8] = "";
    struct iovec here = {seen, sizeof seen}, there = {(void *)where, sizeof seen};
    judge(process_vm_readv(victim, &here, 1, &there, 1, 0), "its memory");
    snprintf(name, sizeof name, "/proc/%d/mem", victim);
    judge(open(name, O_RDONLY), "its memory, by /proc");
    judge(ptrace(PTRACE_SEIZE, victim, NULL, NULL), "tracing it");
    pid_t child = fork();
    if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) ? errno : 0);
    judge_child(child, "tracing at all");
    return play_on();
}
