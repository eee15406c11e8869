/* Connects to a socket of somebody else's by its abstract name, which no folder holds. */
#include "guest.h"

#include <stddef.h>
#include <sys/un.h>

int main(int argc, char **argv) {
    begin(argc, argv);
    struct sockaddr_un there = {.sun_family = AF_UNIX};
    const char *name = word("abstract");
    memcpy(there.sun_path + 1, name, strlen(name));
    int it = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t length = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
    judge(it < 0 ? it : connect(it, (struct sockaddr *)&there, length), "a socket with an abstract name");
    return play_on();
}
