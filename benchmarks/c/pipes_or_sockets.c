/* What a turn costs through pipes and through pairs of sockets: a prompt of 200 bytes, an answer of 5, on one core.

       cc -O2 -o /tmp/streams benchmarks/c/pipes_or_sockets.c && /tmp/streams INPUT OUTPUT

   INPUT and OUTPUT are 0 for a pipe, 1 for a stream of sockets, 2 for packets, 3 for datagrams. It prints the best of
   ten rounds of 20,000 turns, in microseconds. docs/decisions/0026-pipes-and-a-watchdog.md has the figures. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 10, TURNS = 20000, PROMPT = 200 };

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

/* Two ends, to read from and to write to. */
static void connected(int kind, int ends[2]) {
    int types[] = {0, SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM};
    if (kind ? socketpair(AF_UNIX, types[kind], 0, ends) : pipe(ends)) exit(1);
}

int main(int argc, char **argv) {
    int input[2], output[2];
    char prompt[PROMPT], buffer[65536];
    double best = 1e9;
    cpu_set_t core;
    if (argc != 3) return 2;
    CPU_ZERO(&core);
    CPU_SET(0, &core);
    sched_setaffinity(0, sizeof core, &core);
    connected(atoi(argv[1]) & 3, input);
    connected(atoi(argv[2]) & 3, output);
    if (fork() == 0) {
        alarm(60); /* datagrams have no end */
        close(input[1]);
        close(output[0]);
        while (read(input[0], buffer, sizeof buffer) > 0)
            if (write(output[1], "MOVE\n", 5) != 5) break;
        _exit(0);
    }
    close(input[0]);
    close(output[1]);
    memset(prompt, 'x', sizeof prompt);
    for (int round = 0; round < ROUNDS; round++) {
        double start = microseconds();
        for (int turn = 0; turn < TURNS; turn++)
            if (write(input[1], prompt, sizeof prompt) < 0 || read(output[0], buffer, sizeof buffer) <= 0) return 1;
        double took = (microseconds() - start) / TURNS;
        if (took < best) best = took;
    }
    printf("%.2f\n", best);
    shutdown(input[1], SHUT_RDWR);
    return 0;
}
