/* Tells another process something by a lock on a file that both see: the system's shell, and /dev/null. Here the other
   one is a child; another bot, of this match or of one that is played beside it, would see the lock as well. */
#include "guest.h"

#include <sys/file.h>

static const char *const seen[] = {"/bin/sh", "/dev/null"};

/* Take a lock in a child that then waits for its end; 1 where it has it. */
static int taken(const char *path, int writes, int way, pid_t *child) {
    int told[2];
    char has = 0;
    if (pipe(told)) return 0;
    if (!(*child = fork())) {
        struct flock lock = {.l_type = writes ? F_WRLCK : F_RDLCK, .l_whence = SEEK_SET};
        int file = open(path, writes ? O_RDWR : O_RDONLY);
        has = file >= 0 && !(way == 0 ? flock(file, LOCK_EX | LOCK_NB)
                             : fcntl(file, way == 1 ? F_SETLK : F_OFD_SETLK, &lock));
        if (!has) has = -errno;
        if (write(told[1], &has, 1) < 0) _exit(1);
        for (;;) pause();
    }
    if (*child < 0 || read(told[0], &has, 1) < 1) has = 0;
    close(told[0]);
    close(told[1]);
    errno = has < 0 ? -has : errno;
    return has == 1;
}

/* Whether this process sees that somebody has a lock. */
static int sees(const char *path, int writes, int way) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int file = open(path, writes ? O_RDWR : O_RDONLY);
    if (way == 0) return flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
    if (fcntl(file, way == 1 ? F_GETLK : F_OFD_GETLK, &lock)) return 0;
    return lock.l_type != F_UNLCK;
}

int main(int argc, char **argv) {
    begin(argc, argv);
    for (int writes = 0; writes < 2; writes++)
        for (int way = 0; way < 3; way++) {
            pid_t child = -1;
            int has = taken(seen[writes], writes, way, &child), told = has && sees(seen[writes], writes, way);
            if (told) got("a lock of another process on %s, by way %d", seen[writes], way);
            else not_got("a lock on %s, by way %d", seen[writes], way);
            if (child > 0) {
                kill(child, SIGKILL);
                waitpid(child, NULL, 0);
            }
        }
    return play_on();
}
