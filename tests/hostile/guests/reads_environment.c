/* Looks for the operator's secrets in its environment. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    if (getenv("TESTS_SECRET_TOKEN")) got("a secret of the environment");
    else {
        errno = ENOENT;
        not_got("a secret of the environment");
    }
    return play_on();
}
