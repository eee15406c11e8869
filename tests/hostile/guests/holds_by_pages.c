/* Keeps the lock of its standard error, by write(2) from memory whose pages come slowly: its threads change the rights
   of a large piece of memory all the time, and each page has to wait for them. */
#include "guest.h"
#include <pthread.h>
#include <sys/uio.h>

enum { THREADS = 24, LARGE = 48 << 20, PAGES = 1024 };

static char *large;

static void *change(void *nothing) {
    for (;;) {
        mprotect(large, LARGE, PROT_READ);
        mprotect(large, LARGE, PROT_READ | PROT_WRITE);
    }
    return nothing;
}

int main(int argc, char **argv) {
    begin(argc, argv);
    static struct iovec parts[PAGES];
    pthread_t thread;
    large = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *pages = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (large == MAP_FAILED || pages == MAP_FAILED) return 91;
    use(large, LARGE);
    for (int i = 0; i < PAGES; i++) parts[i] = (struct iovec){pages + i * 4096, 1};
    for (int i = 0; i < THREADS; i++) pthread_create(&thread, NULL, change, NULL);
    for (;;) {
        madvise(pages, PAGES * 4096, MADV_DONTNEED);
        if (writev(2, parts, PAGES) < 0) return 92;
    }
}
