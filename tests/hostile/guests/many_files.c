/* Makes empty files in memory, until what the kernel keeps for them is 32 MiB more than it may have. */
#include "guest.h"

enum { KEPT = 950 }; /* bytes, for an empty file of a tmpfs and its name */

int main(int argc, char **argv) {
    begin(argc, argv);
    const char *place = *word("free") ? word("shm") : getenv("TMPDIR");
    if (!place || chdir(place)) not_got("a place for files");
    long most = ((number("mebibytes") + 32) << 20) / KEPT, made = 0;
    char name[32];
    for (; made < most; made++) {
        snprintf(name, sizeof name, "%ld", made);
        int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
        if (file < 0) break;
        close(file);
    }
    if (made < most) {
        not_got("file %ld", made);
        give_up();
    }
    moment();
    got("%ld files", made);
    while (*word("free") && made--) {
        snprintf(name, sizeof name, "%ld", made);
        unlink(name);
    }
    return play_on();
}
