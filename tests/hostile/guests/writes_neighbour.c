/* Changes another bot's file, adds one, and changes the store; whether it came to that is seen from outside. */
#include "guest.h"

static void write_to(const char *folder, const char *file, int flags, const char *what) {
    char name[4200];
    snprintf(name, sizeof name, "%s/%s", folder, file);
    int it = open(name, O_WRONLY | flags, 0600);
    if (it < 0 || write(it, "changed\n", 8) != 8) not_got("%s", what);
}

int main(int argc, char **argv) {
    begin(argc, argv);
    write_to(word("neighbour"), "secret", O_APPEND, "the neighbour's file");
    write_to(word("neighbour"), "planted", O_CREAT, "a file beside it");
    write_to(word("store"), "secret", O_APPEND, "the store");
    return play_on();
}
