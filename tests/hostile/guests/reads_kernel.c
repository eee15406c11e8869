/* Reads what the kernel tells of the whole machine: its pages, memory, timers, symbols, devices. */
#include "guest.h"

static const char *files[] = {
    "kpagecount", "kpageflags", "kpagecgroup", "kcore", "vmallocinfo", "timer_list", "timer_stats", "slabinfo", "zoneinfo",
    "pagetypeinfo", "buddyinfo", "vmstat", "kallsyms", "modules", "iomem", "ioports", "interrupts", "softirqs", "locks",
    "keys", "key-users", "latency_stats", "sched_debug", "mdstat", "diskstats", "partitions", "swaps", "devices", "crypto",
    "consoles", "cgroups", "config.gz", "kmsg", "mtrr", "dma", "misc", "execdomains", "acpi/wakeup", "bus/pci/devices",
    "driver/rtc", "scsi/scsi", "asound/cards", "irq/0/spurious", "fs/ext4", "sysvipc/shm", "pressure/cpu", "tty/drivers"};

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
