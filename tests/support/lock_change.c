#include "support/lock_parts.h"

#define LENGTH_MAX 600 /* of a changed text; what is longer takes long, and is like another one */
#define MIX        0x9e3779b97f4a7c15u

/* A sign of the shell more, a byte less, or one of the two in another's place. */
static struct str change_byte(struct arena *a, struct str text, struct dice *d)
{
    static const char signs[] =
        "$`\"'\\{}()[]<>|&;*?!~#=:,.-+/@%^ \n\t09aAzZgG/:@[`{7x\0\177\r\303";
    size_t at = dice_below(d, text.len + 1), which = dice_below(d, 3);
    char sign = signs[dice_below(d, sizeof(signs) - 1)];

    return lock_put(a, text, at, which && at < text.len ? 1 : 0,
                    which == 2 ? (struct str){0} : (struct str){&sign, 1});
}

/* Another word in the place of one, one more, or one less. */
static struct str change_word(struct arena *a, struct str text, struct str other, struct dice *d)
{
    static const char *const words[] = {"a.txt",       "src",
                                        ".env",        "~/.ssh/id_rsa",
                                        "/etc/passwd", "/tmp/a.sh",
                                        "new.sh",      "build.sh",
                                        "link-key",    "link-out/x",
                                        "..",          "$X",
                                        "\"$X\"",      "$(cat a)",
                                        "-f",          "-rf",
                                        "--force",     "-o out/x",
                                        "--",          "-",
                                        "*",           "*.c",
                                        "~",           "$HOME/x",
                                        "a{b,c}",      "https://x.org/",
                                        "origin",      "HEAD~1",
                                        "topic",       "sudo",
                                        "env",         "xargs",
                                        "X=1",         "PATH=/tmp",
                                        "out/prog",    "2>/dev/null",
                                        "> b.txt",     ">> .env",
                                        "< a.txt",     "&",
                                        "unknown"};
    const struct strs *pieces = lock_pieces();
    struct str word = lock_word(text, d), instead = lock_word(other, d);
    size_t at = (size_t)(word.s - text.s), which = dice_below(d, 6);

    if (which < 2)
        instead = str_from(words[dice_below(d, COUNT(words))]);
    if (which == 4)
        return lock_put(a, text, at, word.len, (struct str){0});
    if (which == 5)
        return lock_put(a, text, at + dice_below(d, word.len + 1), 0,
                        pieces->items[dice_below(d, pieces->count)]);
    if (which % 2)
        instead = str_format(a, "%.*s %.*s", STR_ARG(instead), STR_ARG(word));
    return lock_put(a, text, at, word.len, instead);
}

/* What a shell has around a command, or another text beside it. */
static struct str change_around(struct arena *a, struct str text, struct str other, struct dice *d)
{
    static const struct {
        const char *before, *between, *after; /* between: the other text is there, too */
    } around[] = {{"", " && ", ""},
                  {"", "; ", ""},
                  {"", " || ", ""},
                  {"", " | ", ""},
                  {"", "\n", ""},
                  {"", " & ", ""},
                  {"(", 0, ")"},
                  {"{ ", 0, "; }"},
                  {"echo \"$(", 0, ")\""},
                  {"X=$(", 0, "); echo $X"},
                  {"if ", "; then ", "; fi"},
                  {"while ", "; do ", "; done"},
                  {"for x in a b; do ", 0, "; done"},
                  {"f() { ", "; }; ", "; f"},
                  {"! ", 0, ""},
                  {"cd src && ", 0, ""},
                  {"cd /tmp; ", 0, ""},
                  {"case x in x) ", ";; y) ", ";; esac"},
                  {"timeout 5 ", 0, ""},
                  {"sudo ", 0, ""},
                  {"env X=1 ", 0, ""},
                  {"nice -n 5 ", 0, ""},
                  {"", 0, " > out/log 2>&1"},
                  {"", 0, " < a.txt"},
                  {"", 0, " | head -5"},
                  {"", 0, " | sh"},
                  {"find . -exec ", 0, " {} \\;"},
                  {"ls | xargs ", 0, ""},
                  {"cat <<E | bash\n", 0, "\nE"},
                  {"diff <(", ") <(", ")"},
                  {"git stash && ", 0, ""},
                  {"set -e; ", 0, ""},
                  {"mkdir -p d && cd d && ", 0, ""},
                  {"export X=1; ", 0, ""},
                  {"trap '", 0, "' EXIT"},
                  {"d=$(mktemp -d); cd \"$d\" && ", 0, ""},
                  {"git pull && ", 0, ""},
                  {"", 0, " &"},
                  {"time ", 0, ""},
                  {"case x in x) ls;; esac; ", 0, ""},
                  {"if true; then ls; fi; ", 0, ""},
                  {"for x in a; do ls; done\n", 0, ""},
                  {"while read x; do ls; done < a.txt; ", 0, ""},
                  {"(cd src); ", 0, ""},
                  {"{ cd src; }; ", 0, ""},
                  {"f() { cd src; }; f; ", 0, ""},
                  {"[[ -f a ]] && ", 0, ""},
                  {"((x++)); ", 0, ""},
                  {"cat <<E\na\nE\n", 0, ""},
                  {"A=1 ", 0, ""},
                  {"A=1; ", 0, ""},
                  {"pushd src; ", 0, "; popd"},
                  {"GIT_DIR=x ", 0, ""},
                  {"PATH=/tmp:$PATH; ", 0, ""},
                  {"cp a.txt new.sh; ", 0, ""},
                  {"git checkout topic; ", 0, ""},
                  {"echo x > new.py; ", 0, ""},
                  {"exec ", 0, ""},
                  {"ssh host ", 0, ""},
                  {"docker run --rm x ", 0, ""},
                  {"npm test && ", 0, ""}};
    size_t which = dice_below(d, COUNT(around) + 3);

    if (which >= COUNT(around))
        return str_format(a, "%s %.*s",
                          which % 3 == 0   ? "bash -c"
                          : which % 3 == 1 ? "eval"
                                           : "sh -lc",
                          STR_ARG(lock_quoted(a, text)));
    struct str more = around[which].between ? other : (struct str){0};
    return str_format(a, "%s%.*s%s%.*s%s", around[which].before, STR_ARG(text),
                      around[which].between ? around[which].between : "", STR_ARG(more),
                      around[which].after);
}

static struct str change(struct arena *a, struct str text, struct str other, struct dice *d)
{
    switch (dice_below(d, 8)) {
    case 0:
    case 1:
        return change_byte(a, text, d);
    case 2:
    case 3:
    case 4:
        return change_word(a, text, other, d);
    default:
        return change_around(a, text, other, d);
    }
}

struct str lock_text_changed(struct arena *a, const struct lock_text *t,
                             const struct lock_texts *others, uint64_t time)
{
    struct dice d = lock_dice(t->hash, time);
    struct str text = t->text;

    for (size_t n = 1 + dice_below(&d, 2); n > 0; n--)
        text = change(a, text, lock_texts_near(others, dice_next(&d) * MIX)->text, &d);
    return text.len > LENGTH_MAX ? (struct str){0} : text;
}
