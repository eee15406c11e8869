/* Lets children end, and never collects them. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    for (int i = 0; i < 16; i++) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        if (child < 0) not_got("child %d", i);
    }
    return play_on();
}
