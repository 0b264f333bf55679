/* main.c - the `bash` by which Gemini CLI and Qwen Code start our hook.
 *
 *     bash -c COMMAND
 *
 * Both start a hook by the first `bash` of PATH, and both take a hook that ends with 0 and says
 * nothing for consent. A real bash can be made to do just that, by variables that a .env file or
 * the settings of a project bring (LD_TRACE_LOADED_OBJECTS: its loader prints a list and ends). So
 * the registration puts the directory of this program in front of PATH, for the hook alone. It is
 * static, obeys no variable, and starts what a registration names, nothing else: words that are
 * plain or in single quotes. Whatever it cannot do blocks the call.
 *
 * Nothing of libc that looks at the environment is used. */
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCKED   2
#define WORDS_MAX 16
#define PATH_ROOM 4096
#define THIS_FILE "/proc/self/exe"
#define NAME      "bash"
#define LIBRARIES "LD_"
#define SEARCHED  "PATH="
#define LENGTH(s) (sizeof(s) - 1)

static int block(const char *why)
{
    static const char front[] = "Warder's hook was not started: ",
                      end[] = "; the call is blocked\n";

    if (write(STDERR_FILENO, front, LENGTH(front)) < 0 ||
        write(STDERR_FILENO, why, strlen(why)) < 0 || write(STDERR_FILENO, end, LENGTH(end)) < 0)
        return BLOCKED;
    return BLOCKED;
}

/* What buf_shell_word() leaves without quotes. */
static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("_-./:@+,", c));
}

/* One word, unquoted in place; *text is left behind it. false: it is more than a word. */
static bool cut_word(char **text, char **word)
{
    char *from = *text, *to = *text;
    bool quoted = false;

    *word = to;
    for (; *from && (quoted || *from != ' '); from++) {
        if (*from == '\'')
            quoted = !quoted;
        else if (!quoted && from[0] == '\\' && from[1] == '\'')
            *to++ = *++from;
        else if (quoted || is_plain(*from))
            *to++ = *from;
        else
            return false;
    }
    *text = *from ? from + 1 : from;
    *to = '\0';
    return !quoted;
}

static bool cut_words(char *text, char *words[WORDS_MAX + 1])
{
    size_t count = 0;

    while (*text && count < WORDS_MAX)
        if (!cut_word(&text, &words[count++]))
            return false;
    words[count] = NULL;
    return !*text && count && words[0][0] == '/';
}

/* Whether a directory is the one that this program is in. */
static bool is_own(const char *directory, size_t len)
{
    char path[PATH_ROOM];
    struct stat there, here;

    if (len == 0 || len + LENGTH("/" NAME) >= sizeof(path))
        return false;
    memcpy(path, directory, len);
    memcpy(path + len, "/" NAME, sizeof("/" NAME));
    return stat(path, &there) == 0 && stat(THIS_FILE, &here) == 0 && there.st_dev == here.st_dev &&
           there.st_ino == here.st_ino;
}

/* The agent runs its commands without our directory in front, so a verdict must not see it either.
 * false: nothing is left. An agent without PATH leaves the name in the registration as it is. */
static bool leave_path(char *line)
{
    char *value = line + LENGTH(SEARCHED);
    size_t len = strcspn(value, ":");

    if (!is_own(value, len))
        return true;
    if (value[len] != ':' || !value[len + 1] || strcmp(value + len + 1, "$PATH") == 0)
        return false;
    memmove(value, value + len + 1, strlen(value + len));
    return true;
}

static bool stays(char *line)
{
    if (strncmp(line, SEARCHED, LENGTH(SEARCHED)) == 0)
        return leave_path(line);
    return strncmp(line, LIBRARIES, LENGTH(LIBRARIES)) != 0;
}

/* No loader reads the variables of libraries here: what is started need not fear them. */
static void clean(char **environment)
{
    char **kept = environment;

    for (char **v = environment; *v; v++)
        if (stays(*v))
            *kept++ = *v;
    *kept = NULL;
}

int main(int argc, char **argv, char **environment)
{
    char *words[WORDS_MAX + 1];

    if (argc != 3 || strcmp(argv[1], "-c") != 0)
        return block("this program takes -c and a command, and is for hooks alone");
    if (!cut_words(argv[2], words))
        return block("the command in the agent's settings is not one of `warder install`");
    clean(environment);
    execve(words[0], words, environment);
    return block("its program cannot be run");
}
