#include "cli/hook_environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "machine/passwd.h"
#include "warder_admin.h"

#define VARIABLES_MAX 32

/* What a hook reads, besides the variables of the agents (warder_client_variable()). The agent runs
 * its commands with the same PATH and SHELL: a verdict on other ones would be about other programs.
 */
static const char *const names[] = {"PATH", "SHELL", "WARDER_HOOK_DEPTH"};

/* What says where policy and record are. */
static const char *const place_names[] = {"HOME",
                                          "XDG_CONFIG_HOME",
                                          "XDG_STATE_HOME",
                                          "XDG_CACHE_HOME",
                                          "XDG_RUNTIME_DIR",
                                          "WARDER_CONFIG",
                                          "CHIMERA_MINK_SETTINGS_PATH"};

/* Whatever its value is, it makes the loader of a shell around us print its table first. An agent
 * that finds an answer behind other text may take that for none, and none for consent. */
#define SPOILS_ANSWERS "LD_SHOW_AUXV"

static char *few[VARIABLES_MAX + 1];
static char **kept = few;
static size_t kept_count, kept_max = VARIABLES_MAX;

static void keep(char *line)
{
    if (kept_count < kept_max)
        kept[kept_count++] = line;
}

static bool is_kept(const char *line)
{
    for (size_t i = 0; i < kept_count; i++)
        if (kept[i] == line)
            return true;
    return false;
}

/* Of a name that is set twice the first one counts, as for getenv(). */
static void keep_named(const char *name)
{
    size_t len = strlen(name);

    for (char **v = environ; v && *v; v++)
        if (**v == *name && strncmp(*v, name, len) == 0 && (*v)[len] == '=') {
            if (!is_kept(*v))
                keep(*v);
            return;
        }
}

static bool keep_made(const char *name, const char *value)
{
    size_t name_len = strlen(name), len = strlen(value);
    char *line = malloc(name_len + len + 2);

    if (!line)
        return false;
    memcpy(line, name, name_len);
    line[name_len] = '=';
    memcpy(line + name_len + 1, value, len + 1);
    keep(line);
    return true;
}

/* Without printf(), which most hooks would need only for this. */
static void put_number(char *out, unsigned long number)
{
    unsigned long unit = 1;

    while (number / unit >= 10)
        unit *= 10;
    for (; unit; unit /= 10)
        *out++ = (char)('0' + number / unit % 10);
    *out = '\0';
}

/* The directory for sockets that the login session of this user has; only root can make one
 * there. */
static bool keep_runtime(void)
{
    char path[64] = "/run/user/";
    struct stat st;

    put_number(path + strlen(path), geteuid());
    if (lstat(path, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
        (st.st_mode & (S_IRWXG | S_IRWXO)))
        return true;
    return keep_made("XDG_RUNTIME_DIR", path);
}

/* Where agents look that believe this variable. Policy is not there, so it gets another name. */
static bool keep_moved(void)
{
    const char *to = getenv("XDG_CONFIG_HOME");

    if (!to) {
        keep_named("WARDER_AGENTS_CONFIG_HOME");
        return true;
    }
    return keep_made("WARDER_AGENTS_CONFIG_HOME", to);
}

/* The last of them, and then they count. */
static enum status use_kept(const char *home, struct error *err)
{
    if (!keep_made("HOME", home) || !keep_moved() || !keep_runtime())
        return fail(err, STATUS_NOMEM, "out of memory");
    kept[kept_count] = NULL;
    environ = kept;
    return STATUS_OK;
}

/* The home that counts: `given`, or that of the database. NULL after an error. */
static const char *find_home(const char *given, struct error *err)
{
    /* Not on the stack, where a hook that was given one would touch a page in vain. */
    static char own[PASSWD_LINE_MAX] __attribute__((aligned(1))); /* as in prog/hook/memory.c */

    if (given)
        return given;
    return passwd_home(PASSWD_FILE, geteuid(), own, err) == STATUS_OK ? own : NULL;
}

enum status hook_environment(const char *home, struct error *err)
{
    const char *name, *found = find_home(home, err);

    if (!found)
        return err->status;
    if (getenv(SPOILS_ANSWERS))
        return fail(err, STATUS_UNSAFE,
                    SPOILS_ANSWERS " is set, so the shell that starts the hook may print more than "
                                   "the hook's answer");
    for (size_t i = 0; i < COUNT(names); i++)
        keep_named(names[i]);
    for (size_t i = 0; (name = warder_client_variable(i)); i++)
        keep_named(name);
    /* For hooks of policy files: the events that they read are UTF-8. */
    if (!keep_made("LANG", "C.UTF-8"))
        return fail(err, STATUS_NOMEM, "out of memory");
    return use_kept(found, err);
}

static bool is_place(const char *line)
{
    for (size_t i = 0; i < COUNT(place_names); i++) {
        size_t len = strlen(place_names[i]);
        if (strncmp(line, place_names[i], len) == 0 && line[len] == '=')
            return true;
    }
    return false;
}

enum status judging_environment(const char *home, char ***given, struct error *err)
{
    const char *found = find_home(home, err);
    size_t count = 0;

    if (!found)
        return err->status;
    *given = environ;
    while (environ && environ[count])
        count++;
    kept_max = count + 3; /* as many may be new */
    kept = calloc(kept_max + 1, sizeof(*kept));
    if (!kept)
        return fail(err, STATUS_NOMEM, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (!is_place(environ[i]))
            keep(environ[i]);
    return use_kept(found, err);
}
