/* Changes its own program, so that it is another one in the next match. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    char own[4200] = "";
    if (readlink("/proc/self/exe", own, sizeof own - 1) < 0) snprintf(own, sizeof own, "%s", argv[0]);
    judge(open(own, O_WRONLY | O_APPEND), "its own program, while it runs");
    judge(truncate(own, 0), "its own program, cut off");
    char *name = strrchr(own, '/');
    if (name) strcpy(name, "/planted");
    judge(open(own, O_WRONLY | O_CREAT, 0600), "a file beside its own program");
    return play_on();
}
