/* spawn_floor.c - the smallest possible hook: a static program that reads an event and prints an
 * answer. */
#include <unistd.h>

int main(void)
{
    static const char answer[] = "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\","
                                 "\"permissionDecision\":\"allow\"}}\n";
    char event[4096];

    while (read(STDIN_FILENO, event, sizeof(event)) > 0)
        ;
    return write(STDOUT_FILENO, answer, sizeof(answer) - 1) < 0;
}
