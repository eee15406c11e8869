/* Fills the disk with files that have no name any more, one open, one only mapped: 64 MiB more than it may have. */
#include "guest.h"

/* A file without a name. */
static int nameless(const char *place) {
    char name[4200];
    snprintf(name, sizeof name, "%s/hostile-guest-%d", place, getpid());
    int file = open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
    unlink(name);
    return file;
}

int main(int argc, char **argv) {
    begin(argc, argv);
    const char *place = *word("free") ? word("place") : getenv("TMPDIR");
    static char piece[1 << 20];
    memset(piece, 1, sizeof piece);
    long half = number("disk") / 2, mapped = (half + 64) << 20;
    int file = nameless(place);
    for (long i = 0; i < half; i++)
        if (write(file, piece, sizeof piece) != sizeof piece) give_up();
    signal(SIGXFSZ, SIG_IGN);
    for (long left = mapped; left > 0; left -= half << 20) { /* each as small as one that holds back */
        file = nameless(place);
        if (ftruncate(file, half << 20)) give_up();
        char *content = mmap(NULL, half << 20, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (content == MAP_FAILED) give_up();
        close(file);
        use(content, half << 20);
    }
    moment();
    got("%ld MiB", half + (mapped >> 20));
    return play_on();
}
