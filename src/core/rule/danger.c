#include "rule/danger.h"

static const char code[] = "runs whatever code it is given";
static const char wrapper[] = "runs any other command";
static const char removal[] = "removes or overwrites whatever it is given";
static const char network[] = "sends and fetches whatever it is told to";
static const char rights[] = "runs any other command with another user's rights";
static const char control[] = "ends or changes processes and services of the machine";

static const struct {
    const char *program, *lets;
} programs[] = {
    {"ash", code},          {"awk", code},         {"bash", code},       {"bun", code},
    {"cmd", code},          {"cmd.exe", code},     {"csh", code},        {"dash", code},
    {"deno", code},         {"eval", code},        {"fish", code},       {"gawk", code},
    {"gdb", code},          {"irb", code},         {"java", code},       {"ksh", code},
    {"lua", code},          {"make", code},        {"mawk", code},       {"mysql", code},
    {"node", code},         {"nodejs", code},      {"osascript", code},  {"perl", code},
    {"php", code},          {"powershell", code},  {"psql", code},       {"pwsh", code},
    {"python", code},       {"ruby", code},        {"sed", code},        {"sh", code},
    {"source", code},       {"sqlite3", code},     {"tclsh", code},      {"tsx", code},
    {"vi", code},           {"vim", code},         {"zsh", code},        {"powershell.exe", code},

    {"bunx", wrapper},      {"command", wrapper},  {"direnv", wrapper},  {"env", wrapper},
    {"exec", wrapper},      {"find", wrapper},     {"flock", wrapper},   {"ionice", wrapper},
    {"mise", wrapper},      {"nice", wrapper},     {"nohup", wrapper},   {"npx", wrapper},
    {"parallel", wrapper},  {"pipx", wrapper},     {"poetry", wrapper},  {"script", wrapper},
    {"setsid", wrapper},    {"stdbuf", wrapper},   {"strace", wrapper},  {"time", wrapper},
    {"timeout", wrapper},   {"uv", wrapper},       {"uvx", wrapper},     {"watch", wrapper},
    {"xargs", wrapper},     {"docker", wrapper},   {"podman", wrapper},  {"kubectl", wrapper},
    {"chroot", wrapper},    {"nsenter", wrapper},  {"unshare", wrapper},

    {"chmod", removal},     {"chown", removal},    {"cp", removal},      {"dd", removal},
    {"install", removal},   {"ln", removal},       {"mkfs", removal},    {"mv", removal},
    {"rm", removal},        {"rmdir", removal},    {"shred", removal},   {"tee", removal},
    {"truncate", removal},  {"unlink", removal},   {"del", removal},

    {"aws", network},       {"az", network},       {"curl", network},    {"ftp", network},
    {"gcloud", network},    {"nc", network},       {"ncat", network},    {"netcat", network},
    {"rclone", network},    {"rsync", network},    {"scp", network},     {"sftp", network},
    {"socat", network},     {"ssh", network},      {"telnet", network},  {"wget", network},

    {"doas", rights},       {"pkexec", rights},    {"su", rights},       {"sudo", rights},
    {"runas", rights},

    {"at", control},        {"crontab", control},  {"kill", control},    {"killall", control},
    {"launchctl", control}, {"pkill", control},    {"reboot", control},  {"shutdown", control},
    {"systemctl", control}, {"taskkill", control},
};

/* Without what looks like a version at the end: python3.11, perl5. */
static struct str strip_version(struct str s)
{
    while (s.len > 1 && ((s.s[s.len - 1] >= '0' && s.s[s.len - 1] <= '9') || s.s[s.len - 1] == '.'))
        s.len--;
    return s;
}

const char *danger_of(struct str program)
{
    size_t slash = str_last_index(program, '/');
    struct str name = slash == STR_NONE ? program : str_from_byte(program, slash + 1);

    for (size_t i = 0; i < COUNT(programs); i++)
        if (str_is(name, programs[i].program) || str_is(strip_version(name), programs[i].program))
            return programs[i].lets;
    return NULL;
}
