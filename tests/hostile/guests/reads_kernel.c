/* Reads what the kernel tells of the whole machine: its pages, memory, timers, symbols, interrupts. */
#include "guest.h"

static const char *files[] = {"kpagecount",  "kpageflags",    "kpagecgroup", "kcore",     "vmallocinfo", "timer_list",
                              "timer_stats", "slabinfo",      "zoneinfo",    "keys",      "pagetypeinfo", "kallsyms",
                              "modules",     "interrupts",    "softirqs",    "kmsg",      "sched_debug", "acpi/wakeup",
                              "scsi/scsi",   "latency_stats", "asound/cards"};

int main(int argc, char **argv) {
    begin(argc, argv);
    char path[100], piece[8];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "/proc/%s", files[i]);
        int open_file = open(path, O_RDONLY | O_NONBLOCK);
        if (open_file >= 0 && read(open_file, piece, sizeof piece) > 0) got("%s", path);
        else if (i == 0) not_got("%s", path);
        if (open_file >= 0) close(open_file);
    }
    int trigger = open("/proc/sysrq-trigger", O_WRONLY);
    judge(trigger, "/proc/sysrq-trigger");
    return play_on();
}
