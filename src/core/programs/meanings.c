#include "programs/meanings.h"

#include "base/ascii.h"
#include "base/list.h"

/* Of Linux, by their numbers. */
static const char *const signals[] = {
    "0",    "HUP",  "INT",  "QUIT", "ILL",    "TRAP",   "ABRT",  "BUS",  "FPE",  "KILL", "USR1",
    "SEGV", "USR2", "PIPE", "ALRM", "TERM",   "STKFLT", "CHLD",  "CONT", "STOP", "TSTP", "TTIN",
    "TTOU", "URG",  "XCPU", "XFSZ", "VTALRM", "PROF",   "WINCH", "IO",   "PWR",  "SYS"};

static int small_number(struct str text, int base)
{
    int n = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] < '0' || text.s[i] >= '0' + base || n > 4096)
            return -1;
        n = n * base + (text.s[i] - '0');
    }
    return text.len ? n : -1;
}

int signal_number(struct str text)
{
    int n = small_number(text, 10);

    if (n >= 0)
        return n;
    if (text.len > 3 && str_eq_nocase(str_slice(text, 0, 3), STR("SIG")))
        text = str_from_byte(text, 3);
    for (size_t i = 1; i < COUNT(signals); i++)
        if (str_eq_nocase(text, str_from(signals[i])))
            return (int)i;
    return -1;
}

/* The bits of "rwxst" for the users that "ugoa" names; all of them if it names none. */
static int symbolic_bits(struct str who, struct str what)
{
    static const struct {
        char letter;
        int bits;
    } users[] = {{'u', 04700}, {'g', 02070}, {'o', 01007}, {'a', 07777}},
      rights[] = {{'r', 0444}, {'w', 0222}, {'x', 0111}, {'X', 0111}, {'s', 06000}, {'t', 01000}};
    int of = who.len ? 0 : 07777, bits = 0;

    for (size_t i = 0; i < COUNT(users); i++)
        if (str_has(who, users[i].letter))
            of |= users[i].bits;
    for (size_t i = 0; i < COUNT(rights); i++)
        if (str_has(what, rights[i].letter))
            bits |= rights[i].bits;
    return of & bits;
}

static int mode_bits(struct str mode)
{
    int bits = small_number(mode, 8);
    struct str clause, tail = {0};

    if (bits >= 0)
        return bits;
    bits = 0;
    for (bool more = true; more; mode = tail) {
        size_t at = 0;
        more = str_cut(mode, ',', &clause, &tail);
        while (at < clause.len && !strchr("+=-", clause.s[at]))
            at++;
        if (at < clause.len && clause.s[at] != '-')
            bits |= symbolic_bits(str_slice(clause, 0, at), str_from_byte(clause, at + 1));
    }
    return bits;
}

bool mode_gives(struct str mode, struct str wanted)
{
    int least = small_number(wanted, 8);

    return least > 0 && (mode_bits(mode) & least) == least;
}
