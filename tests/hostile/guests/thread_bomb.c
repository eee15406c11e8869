/* Starts 300 threads, which count as tasks as processes do. */
#include "guest.h"

#include <pthread.h>

static void *idle(void *nothing) {
    for (;;) pause();
    return nothing;
}

int main(int argc, char **argv) {
    begin(argc, argv);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    for (int i = 0; i < 300; i++) {
        pthread_t thread;
        if ((errno = pthread_create(&thread, &small, idle, NULL))) {
            not_got("thread %d", i);
            give_up();
        }
    }
    moment();
    got("300 threads");
    return play_on();
}
