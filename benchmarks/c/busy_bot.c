/* A bot of aBOTcalypse that lives for a turn and needs 20 ms of processor time for it. */
#include <stdio.h>
#include <time.h>

int main(void) {
    struct timespec now;
    do {
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while (now.tv_sec == 0 && now.tv_nsec < 20000000);
    puts("rest");
    return 0;
}
