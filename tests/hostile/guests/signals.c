/* Sends a harmless signal to the referee, to the other bots, and to somebody else's process: those count what came.

   Others may get one too: it is a signal that everybody ignores who has not asked for it. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    pid_t own = getpid();
    errno = ESRCH;
    if (kill(number("referee"), SIGURG)) not_got("the referee");
    if (kill(number("victim"), SIGURG)) not_got("somebody else's process");
    if (getppid() <= 1 || kill(getppid(), SIGURG)) not_got("the parent");
    for (pid_t near = own > 64 ? own - 64 : 2; near < own + 64; near++)
        if (near != own && near != number("referee") && near != number("victim")) kill(near, SIGURG);
    return play_on();
}
