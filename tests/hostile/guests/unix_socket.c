/* Connects to a socket of somebody else's by its path. */
#include "guest.h"

#include <sys/un.h>

int main(int argc, char **argv) {
    begin(argc, argv);
    struct sockaddr_un there = {.sun_family = AF_UNIX};
    snprintf(there.sun_path, sizeof there.sun_path, "%s", word("unix"));
    int it = socket(AF_UNIX, SOCK_STREAM, 0);
    judge(it < 0 ? it : connect(it, (struct sockaddr *)&there, sizeof there), "a socket with a path");
    return play_on();
}
