/* Fills the disk with files that have no name any more, each kept by one page of it that is mapped. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    const char *place = *word("free") ? word("place") : getenv("TMPDIR");
    static char piece[1 << 20];
    memset(piece, 1, sizeof piece);
    long each = number("disk") / 2, most = number("disk") * 6, filled = 0;
    while (filled < most) { /* each as small as one that holds back */
        char name[4200];
        snprintf(name, sizeof name, "%s/hostile-guest-%d", place, getpid());
        int file = open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
        unlink(name);
        for (long i = 0; i < each; i++, filled++)
            if (write(file, piece, sizeof piece) != sizeof piece) give_up();
        if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED) give_up();
        close(file);
    }
    moment();
    got("%ld MiB", filled);
    return play_on();
}
