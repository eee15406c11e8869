/* Leaves a chain of processes behind, each forked by the one before, with many mappings that all of them share: the
   kernel clears such a family away slowly, one process after the other. It answers, and ends as if all were well. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DEPTH = 24, MAPPINGS = 450, APART = 8192 };

int main(void) {
    char *base = mmap(NULL, (size_t)MAPPINGS * APART, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int told[2];
    if (base == MAP_FAILED || pipe(told)) return 1;
    for (int i = 0; i < MAPPINGS; i++) {
        mprotect(base + (size_t)i * APART, 4096, PROT_READ | PROT_WRITE);
        base[(size_t)i * APART] = 1;
    }
    pid_t child = fork();
    if (child < 0) return 1;
    if (child) { /* the chain is whole: then the bot itself ends */
        char sign;
        close(told[1]);
        if (read(told[0], &sign, 1) != 1) return 1;
        puts("rest");
        return 0;
    }
    alarm(60);
    close(0), close(1), close(2);
    for (int depth = 1; depth < DEPTH; depth++) {
        for (int i = 0; i < MAPPINGS; i++) base[(size_t)i * APART] = (char)depth;
        child = fork();
        if (child) break;
        alarm(60);
    }
    if (!child && write(told[1], "x", 1) < 0) return 1;
    for (;;) pause();
}
