/* Opens a socket to the host of a virtual machine; no network namespace covers that. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    int it = socket(AF_VSOCK, SOCK_STREAM, 0);
    if (it < 0 && errno == EAFNOSUPPORT) absent("vsock");
    else judge(it, "vsock");
    return play_on();
}
