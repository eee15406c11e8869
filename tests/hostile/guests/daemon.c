/* Leaves a process behind in a session of its own, with nothing of the bot's open; it ends by itself in a minute. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    int told[2];
    pid_t pid = 0;
    if (pipe(told)) return 91;
    pid_t child = fork();
    if (child == 0) {
        if (setsid() < 0 || (pid = fork())) _exit(errno);
        pid = getpid();
        signal(SIGHUP, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
        if (write(told[1], &pid, sizeof pid) < 0) _exit(92);
        linger();
    }
    close(told[1]);
    waitpid(child, NULL, 0);
    if (read(told[0], &pid, sizeof pid) != sizeof pid) not_got("a daemon");
    return play_on();
}
