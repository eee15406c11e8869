/* Looks at other people's processes: their command lines and their environments. */
#include "guest.h"

#include <dirent.h>

/* Whether a file of /proc has the two words `left` and `right` as one: this program's own command line has not. */
static int holds(const char *process, const char *file, const char *wanted) {
    static char text[1 << 17];
    char name[600];
    snprintf(name, sizeof name, "/proc/%s/%s", process, file);
    int open_file = open(name, O_RDONLY);
    if (open_file < 0) return 0;
    ssize_t size = read(open_file, text, sizeof text);
    close(open_file);
    return size > 0 && memmem(text, size, wanted, strlen(wanted)) != NULL;
}

int main(int argc, char **argv) {
    begin(argc, argv);
    char wanted[300];
    snprintf(wanted, sizeof wanted, "%s-victim", word("token"));
    int named = 0, environment = 0;
    DIR *all = opendir("/proc");
    for (struct dirent *entry; all && (entry = readdir(all));)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') {
            named |= holds(entry->d_name, "cmdline", wanted);
            environment |= holds(entry->d_name, "environ", wanted);
        }
    errno = ENOENT;
    judge(named ? 0 : -1, "another process's command line");
    errno = ENOENT;
    judge(environment ? 0 : -1, "another process's environment");
    return play_on();
}
