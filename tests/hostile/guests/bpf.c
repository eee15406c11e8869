/* Loads a map of bpf into the kernel. */
#include "guest.h"

#include <linux/bpf.h>

int main(int argc, char **argv) {
    begin(argc, argv);
    union bpf_attr map = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    long it = syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map);
    if (it < 0 && *word("free")) absent("bpf"); /* most systems keep it for root */
    else judge(it, "bpf");
    return play_on();
}
