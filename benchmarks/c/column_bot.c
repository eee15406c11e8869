/* The cheapest bot that plays connect four: it drops its stone into the first column that is not full. */

#include <unistd.h>

enum { PROMPT = 2 + 6 * 8, TOP = 2 }; /* bytes of a prompt; where its top row begins */

int main(void) {
    char input[PROMPT], answer[2] = {'0', '\n'};
    for (;;) {
        for (ssize_t filled = 0, count; filled < PROMPT; filled += count)
            if ((count = read(STDIN_FILENO, input + filled, (size_t)(PROMPT - filled))) <= 0) return 0;
        int column = 0;
        while (column < 6 && input[TOP + column] != '.') column++;
        answer[0] = (char)('0' + column);
        if (write(STDOUT_FILENO, answer, 2) < 0) return 0;
    }
}
