/* Freezes the operator's terminal: stops its output, drops what was typed, takes it for itself, makes it non-blocking.
   Played by `arena`, which reports on standard output: a line that begins with / is a comment. */
#include "guest.h"

#include <sys/ioctl.h>
#include <termios.h>

static void try(int terminal, const char *where) {
    if (terminal < 0 || !isatty(terminal)) {
        printf("/ NOT %s\n", where);
        return;
    }
    printf("/ GOT %s\n", where);
    struct termios how;
    ioctl(terminal, TCFLSH, TCIFLUSH);
    ioctl(terminal, TCSBRK, 1);
    ioctl(terminal, TIOCEXCL);
    if (!ioctl(terminal, TCGETS, &how)) how.c_lflag &= ~ECHO, ioctl(terminal, TCSETS, &how);
    fcntl(terminal, F_SETFL, fcntl(terminal, F_GETFL) | O_NONBLOCK);
    ioctl(terminal, TCXONC, TCOOFF);
}

int main(void) {
    char line[200], path[100];
    signal(SIGTTOU, SIG_IGN);
    signal(SIGTTIN, SIG_IGN);
    alarm(60);
    while (fgets(line, sizeof line, stdin)) {
        for (int own = 0; own < 3; own++) {
            snprintf(path, sizeof path, "descriptor %d", own);
            try(own, path);
        }
        try(open("/dev/tty", O_RDWR | O_NOCTTY), "/dev/tty");
        snprintf(path, sizeof path, "/proc/%d/fd/2", (int)getppid());
        try(open(path, O_RDWR | O_NOCTTY), "its parent's");
        say("M 0 0\n");
    }
    return 0;
}
