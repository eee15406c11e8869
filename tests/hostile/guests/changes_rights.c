/* Takes another bot's folder its rights away, so that nobody can read it, and its file the time of its last change. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    char name[4200];
    snprintf(name, sizeof name, "%s/secret", word("neighbour"));
    judge(utimensat(AT_FDCWD, name, NULL, 0), "the times of the neighbour's file");
    judge(chmod(name, 0), "the rights of the neighbour's file");
    return play_on();
}
