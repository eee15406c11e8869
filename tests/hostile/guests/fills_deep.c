/* Fills the disk below a path that is too long to be told: 64 MiB more than it may have, and no more. */
#include "guest.h"

enum { DEPTH = 30, LONG = 200 };

static char name[LONG + 1];

/* Make a file of a MiB in the current folder; whether it could. */
static int fill(long number) {
    static char piece[1 << 20], file[32];
    memset(piece, 1, sizeof piece);
    snprintf(file, sizeof file, "%ld", number);
    int opened = open(file, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (opened < 0) return 0;
    int all = write(opened, piece, sizeof piece) == sizeof piece;
    close(opened);
    return all;
}

int main(int argc, char **argv) {
    begin(argc, argv);
    const char *place = *word("free") ? word("place") : getenv("TMPDIR");
    if (!place || chdir(place)) not_got("a place for files");
    memset(name, 'd', LONG);
    int depth = 0;
    while (depth < DEPTH && !mkdir(name, 0700) && !chdir(name)) depth++;
    long most = number("disk") + 64, filled = 0;
    while (filled < most && fill(filled)) filled++;
    if (filled < most) {
        struct timespec glance = {0, 200000000}; /* for who opens the full disk before it is gone */
        nanosleep(&glance, NULL);
        not_got("more than %ld MiB", filled);
        give_up();
    }
    moment();
    got("%ld MiB", filled);
    if (*word("free")) {
        char file[32];
        while (filled--) snprintf(file, sizeof file, "%ld", filled), unlink(file);
        while (depth-- && !chdir("..")) rmdir(name);
    }
    return play_on();
}
