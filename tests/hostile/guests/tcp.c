/* Connects to a port of this machine by TCP. */
#include "guest.h"

#include <arpa/inet.h>
#include <netinet/in.h>

int main(int argc, char **argv) {
    begin(argc, argv);
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(number("tcp"))};
    inet_pton(AF_INET, "127.0.0.1", &there.sin_addr);
    int it = socket(AF_INET, SOCK_STREAM, 0);
    judge(it < 0 ? it : connect(it, (struct sockaddr *)&there, sizeof there), "TCP");
    return play_on();
}
