/* Takes System V shared memory, which stays behind when a process ends: 200 MiB more than it may have. */
#include "guest.h"

#include <sys/shm.h>

int main(int argc, char **argv) {
    begin(argc, argv);
    size_t most = (size_t)(number("mebibytes") + 200) << 20;
    int id = shmget(IPC_PRIVATE, most, IPC_CREAT | 0600);
    if (id < 0) {
        not_got("shared memory");
        return play_on();
    }
    char *piece = shmat(id, NULL, 0);
    shmctl(id, IPC_RMID, NULL); /* gone with this process, whatever becomes of it */
    if (piece == (void *)-1) not_got("shared memory");
    else {
        use(piece, most);
        moment();
        got("%ld MiB", (long)(most >> 20));
    }
    return play_on();
}
