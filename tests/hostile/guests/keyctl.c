/* Opens the kernel's keyrings, which are the user's and no namespace's. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    long ring = syscall(SYS_keyctl, 0, -4, 1, 0, 0); /* the user's keyring, by its number */
    if (ring < 0 && errno == ENOSYS && *word("free")) absent("keyrings");
    else judge(ring, "the user's keyring");
    return play_on();
}
