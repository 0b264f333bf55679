#include "cli/agree.h"

#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "cli/output.h"

/* True for a line that says y or yes; everything else is no, the end of the input too. */
static bool says_yes(const char *question)
{
    char line[16];

    fprintf(stderr, "%s [y/N] ", question);
    (void)fflush(stderr);
    if (!fgets(line, sizeof line, stdin))
        return false;
    return strcasecmp(line, "y\n") == 0 || strcasecmp(line, "yes\n") == 0;
}

int agree(struct cli *cli, const char *question)
{
    (void)fflush(stdout); /* what is shown comes before the question */
    if (cli->args.yes)
        return EXIT_YES;
    if (!isatty(STDIN_FILENO)) {
        complain("not a terminal: read what is printed above, then run it again with --yes");
        return EX_USAGE;
    }
    return says_yes(question) ? EXIT_YES : EXIT_NO;
}

size_t choose_number(size_t count)
{
    char line[16], *end;

    (void)fflush(stdout);
    fprintf(stderr, "Which one? Its number, or Enter for none: ");
    (void)fflush(stderr);
    if (!fgets(line, sizeof line, stdin) || line[0] < '1' || line[0] > '9')
        return 0;
    unsigned long number = strtoul(line, &end, 10);
    return *end == '\n' && number <= count ? number : 0;
}

bool agree_unless_no(const char *question)
{
    char line[16];

    (void)fflush(stdout);
    if (!isatty(STDIN_FILENO))
        return false;
    fprintf(stderr, "%s [Y/n] ", question);
    (void)fflush(stderr);
    if (!fgets(line, sizeof line, stdin))
        return false;
    return line[0] == '\n' || strcasecmp(line, "y\n") == 0 || strcasecmp(line, "yes\n") == 0;
}
