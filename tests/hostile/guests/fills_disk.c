/* Fills every place that it can write to: 64 MiB more than it may have in all, and no more.

   Without a box its files have no name any more when they are filled: they are gone with the process. */
#include "guest.h"

#include <mntent.h>

static long left;  /* MiB */
static long filled;

static void fill(const char *place) {
    static char piece[1 << 20];
    char name[4200];
    snprintf(name, sizeof name, "%s/hostile-guest-%d", place, getpid());
    int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (file < 0) return;
    if (*word("free")) unlink(name);
    memset(piece, 1, sizeof piece);
    for (; left; left--, filled++)
        if (write(file, piece, sizeof piece) != sizeof piece) {
            not_got("more than %ld MiB, in %s", filled, place);
            return;
        }
}

int main(int argc, char **argv) {
    begin(argc, argv);
    signal(SIGXFSZ, SIG_IGN);
    left = number("disk") + 64;
    if (*word("place")) fill(word("place")); /* where nothing holds it, only where it is told */
    else {
        char own[4096] = "";
        if (getcwd(own, sizeof own)) fill(own);
        const char *usual[] = {"/tmp", "/var/tmp", "/dev/shm", "/run", "/dev", "/", getenv("HOME"), getenv("TMPDIR")};
        for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
            if (usual[i]) fill(usual[i]);
        FILE *mounts = setmntent("/proc/self/mounts", "r");
        for (struct mntent *entry; mounts && (entry = getmntent(mounts));) fill(entry->mnt_dir);
    }
    if (left) {
        not_got("more than %ld MiB in all", filled);
        give_up();
    }
    got("%ld MiB", filled);
    return play_on();
}
