/* Reads what was played before, and what was built for others. */
#include "guest.h"

#include <dirent.h>

int main(int argc, char **argv) {
    begin(argc, argv);
    char name[4200];
    snprintf(name, sizeof name, "%s/secret", word("store"));
    judge(open(name, O_RDONLY), "the store");
    DIR *cache = opendir(word("cache"));
    int seen = 0;
    while (cache && readdir(cache)) seen++;
    if (seen > 3) /* ., .., its own */ got("the cache of builds, %d entries", seen);
    else not_got("the cache of builds");
    return play_on();
}
