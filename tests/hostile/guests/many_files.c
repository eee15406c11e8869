/* Makes 200,000 empty files, which take no space by their contents. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    const char *place = *word("place") ? word("place") : "/tmp";
    char name[4200];
    long made = 0;
    for (; made < 200000; made++) {
        snprintf(name, sizeof name, "%s/%ld", place, made);
        int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
        if (file < 0) break;
        close(file);
    }
    if (made == 200000) got("%ld files", made);
    else not_got("file %ld", made);
    for (long i = 0; i < made; i++) {
        snprintf(name, sizeof name, "%s/%ld", place, i);
        unlink(name);
    }
    return play_on();
}
