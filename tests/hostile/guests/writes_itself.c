/* Changes its own program, so that it is another one in the next match: adds a file beside it, seen from outside. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    char own[4200] = "";
    if (readlink("/proc/self/exe", own, sizeof own - 1) < 0) snprintf(own, sizeof own, "%s", argv[0]);
    judge(open(own, O_WRONLY | O_APPEND), "its own program, while it runs");
    char *name = strrchr(own, '/');
    if (name) strcpy(name, "/planted");
    if (open(own, O_WRONLY | O_CREAT, 0600) < 0) not_got("a file beside its own program");
    if (open("planted", O_WRONLY | O_CREAT, 0600) < 0) not_got("a file beside its source");
    return play_on();
}
