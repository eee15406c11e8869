/* Sends to a port of this machine by UDP; whether it arrives is seen there. */
#include "guest.h"

#include <arpa/inet.h>
#include <netinet/in.h>

int main(int argc, char **argv) {
    begin(argc, argv);
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(number("udp"))};
    inet_pton(AF_INET, "127.0.0.1", &there.sin_addr);
    int it = socket(AF_INET, SOCK_DGRAM, 0);
    const char *text = word("token");
    if (it < 0 || sendto(it, text, strlen(text), 0, (struct sockaddr *)&there, sizeof there) < 0) not_got("UDP");
    else if (connect(it, (struct sockaddr *)&there, sizeof there) || recv(it, argv, 0, MSG_DONTWAIT) < 0)
        not_got("UDP: sent, and heard nothing");
    return play_on();
}
