/* Sends to a socket that has a path, by one end of a pair: that one was never asked for by `socket`. */
#include "guest.h"

#include <sys/un.h>

int main(int argc, char **argv) {
    begin(argc, argv);
    int pair[2];
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    snprintf(to.sun_path, sizeof to.sun_path, "%s", word("letters"));
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0) not_got("a pair of unconnected sockets");
    else judge(sendto(pair[0], "hello", 5, 0, (struct sockaddr *)&to, sizeof to), "a letter to a socket with a path");
    return play_on();
}
