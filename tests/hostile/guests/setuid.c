/* Takes another user's rights: becomes another user, or could by a program with the setuid bit. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    uid_t other = getuid() ? 0 : 65534;
    pid_t child = fork();
    if (child == 0) _exit(setresuid(other, other, other) ? errno : 0);
    judge_child(child, "another user");
    errno = EPERM;
    judge(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) ? -1 : 0, "rights by a program with the setuid bit");
    return play_on();
}
