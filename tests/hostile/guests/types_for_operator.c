/* Types for the operator: pushes a key into the terminal that the match was started from. */
#include "guest.h"

#include <sys/ioctl.h>

int main(int argc, char **argv) {
    begin(argc, argv);
    int terminal = open("/dev/tty", O_RDWR | O_NOCTTY);
    judge(terminal < 0 ? terminal : ioctl(terminal, TIOCSTI, " "), "the operator's terminal");
    return play_on();
}
