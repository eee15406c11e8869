/* Changes another bot's file, adds one, and changes the referee's. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    char name[4200];
    snprintf(name, sizeof name, "%s/secret", word("neighbour"));
    judge(open(name, O_WRONLY | O_APPEND), "the neighbour's file");
    snprintf(name, sizeof name, "%s/planted", word("neighbour"));
    judge(open(name, O_WRONLY | O_CREAT, 0600), "a file beside it");
    snprintf(name, sizeof name, "%s/secret", word("store"));
    judge(open(name, O_WRONLY | O_APPEND), "the store");
    return play_on();
}
