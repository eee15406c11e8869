/* Takes the kernel's memory: reads one byte of every 2 MiB, for each of which it makes a table of 4 KiB, and no page. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    size_t most = number("mebibytes") + 64, step = 2 << 20, size = (most << 8) * step;
    volatile char *all = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) {
        not_got("room for %zu MiB of tables", most);
        give_up();
    }
    for (size_t at = 0; at < size; at += step) (void)all[at];
    moment();
    got("%zu MiB of tables", most);
    return play_on();
}
