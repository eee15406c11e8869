/* Opens io_uring, through which system calls pass that no filter sees. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    char parameters[256] = "";
    long it = syscall(SYS_io_uring_setup, 4, parameters);
    if (it < 0 && *word("free")) absent("io_uring"); /* some systems have it switched off */
    else judge(it, "io_uring");
    return play_on();
}
