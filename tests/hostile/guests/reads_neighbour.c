/* Reads a file in another bot's folder. */
#include "guest.h"

int main(int argc, char **argv) {
    begin(argc, argv);
    char name[4200];
    snprintf(name, sizeof name, "%s/secret", word("neighbour"));
    judge(open(name, O_RDONLY), "the neighbour's secret");
    judge(open(word("neighbour"), O_RDONLY | O_DIRECTORY), "the neighbour's folder");
    return play_on();
}
