#include "layer/territory.h"

#include <limits.h>

#include "base/ascii.h"
#include "base/glob.h"
#include "base/path.h"
#include "base/utf8_fold.h"
#include "layer/worktree.h"

/* Where a row's path begins. */
enum where { HOME, ROOT, ANYWHERE };

struct place {
    enum where where;
    const char *path; /* components; '*' stands for any part of one component; everything below is meant too */
    const char *what;
    bool own; /* verdicts depend on it */
};

/* Writing here changes what will run, who may do what, or what this program
 * itself relies on. Compared without regard to case. */
static const struct place protected_places[] = {
    {ANYWHERE, ".git", "git's own files"},
    {ANYWHERE, ".gitattributes", "git filters, which run programs"},
    {ANYWHERE, ".gitmodules", "git submodules"},
    {HOME, ".gitconfig", "git configuration"},
    {HOME, ".config/git", "git configuration"},
    {ANYWHERE, ".warder", "Warder's own settings", true},
    {HOME, ".config/warder", "Warder's own settings", true},
    {HOME, ".local/state/warder", "Warder's own state", true},
    {HOME, ".cache/warder", "Warder's own state", true},
    {ROOT, "etc/warder", "Warder's own settings", true},
    {ROOT, "var/lib/warder", "Warder's own state", true},
    {ANYWHERE, ".claude", "agent settings", true},
    {HOME, ".claude.json", "agent settings", true},
    {HOME, ".config/claude", "agent settings", true},
    {ROOT, "etc/claude-code", "agent settings", true},
    {ANYWHERE, ".caliban", "agent settings", true},
    {HOME, ".config/caliban", "agent settings", true},
    {ANYWHERE, ".codex", "agent settings", true},
    {ROOT, "etc/codex", "agent settings", true},
    {ANYWHERE, ".gemini", "agent settings", true},
    {ROOT, "etc/gemini-cli", "agent settings", true},
    {ANYWHERE, ".qwen", "agent settings", true},
    {ANYWHERE, ".cursor", "agent settings", true},
    {ANYWHERE, ".windsurf", "agent settings", true},
    {HOME, ".codeium", "agent settings", true},
    {ANYWHERE, ".opencode", "agent settings", true},
    {ANYWHERE, "opencode.json*", "agent settings", true},
    {HOME, ".config/opencode", "agent settings", true},
    {HOME, ".copilot", "agent settings", true},
    {ANYWHERE, ".github/hooks", "agent settings", true},
    {ANYWHERE, ".github/copilot", "agent settings", true},
    {ANYWHERE, ".clinerules", "agent settings", true},
    {ANYWHERE, ".cline", "agent settings", true},
    {ANYWHERE, ".factory", "agent settings", true},
    {ANYWHERE, ".kiro", "agent settings", true},
    {HOME, ".kimi-code", "agent settings", true},
    {ANYWHERE, "crush.json", "agent settings", true},
    {ANYWHERE, ".crush.json", "agent settings", true},
    {ANYWHERE, ".mcp.json", "agent settings", true},
    {HOME, ".bashrc", "a shell start-up file"},
    {HOME, ".bash_profile", "a shell start-up file"},
    {HOME, ".bash_login", "a shell start-up file"},
    {HOME, ".bash_logout", "a shell start-up file"},
    {HOME, ".bash_aliases", "a shell start-up file"},
    {HOME, ".profile", "a shell start-up file"},
    {HOME, ".zshrc", "a shell start-up file"},
    {HOME, ".zshenv", "a shell start-up file"},
    {HOME, ".zprofile", "a shell start-up file"},
    {HOME, ".zlogin", "a shell start-up file"},
    {HOME, ".zlogout", "a shell start-up file"},
    {HOME, ".kshrc", "a shell start-up file"},
    {HOME, ".inputrc", "a shell start-up file"},
    {HOME, ".config/fish", "a shell start-up file"},
    {ROOT, "etc/profile", "a shell start-up file"},
    {ROOT, "etc/profile.d", "a shell start-up file"},
    {ROOT, "etc/bash.bashrc", "a shell start-up file"},
    {HOME, ".ssh", "SSH keys and settings"},
    {HOME, ".gnupg", "GnuPG keys"},
    {HOME, ".aws", "cloud credentials"},
    {HOME, ".azure", "cloud credentials"},
    {HOME, ".config/gcloud", "cloud credentials"},
    {HOME, ".kube", "cluster credentials"},
    {HOME, ".docker", "container credentials"},
    {HOME, ".netrc", "credentials"},
    {HOME, ".git-credentials", "credentials"},
    {HOME, ".pgpass", "credentials"},
    {HOME, ".config/gh", "credentials"},
    {HOME, ".pypirc", "credentials"},
    {HOME, "bin", "a directory that programs are found in"},
    {HOME, ".local/bin", "a directory that programs are found in"},
    {HOME, ".cargo/bin", "a directory that programs are found in"},
    {HOME, "go/bin", "a directory that programs are found in"},
    {ROOT, "bin", "a directory that programs are found in"},
    {ROOT, "sbin", "a directory that programs are found in"},
    {ROOT, "usr/bin", "a directory that programs are found in"},
    {ROOT, "usr/sbin", "a directory that programs are found in"},
    {ROOT, "usr/local/bin", "a directory that programs are found in"},
    {ROOT, "usr/local/sbin", "a directory that programs are found in"},
    {ROOT, "etc/sudoers", "who may become root"},
    {ROOT, "etc/sudoers.d", "who may become root"},
    {ROOT, "etc/passwd", "the user database"},
    {ROOT, "etc/shadow", "the user database"},
    {ROOT, "etc/ld.so.preload", "libraries loaded into every program"},
    {ROOT, "etc/cron*", "timed commands"},
    {ROOT, "var/spool/cron", "timed commands"},
    {ROOT, "etc/systemd", "services"},
    {HOME, ".config/systemd", "services"},
    {HOME, ".config/autostart", "programs started at log-in"},
    {ANYWHERE, ".husky", "configuration that runs code"},
    {ANYWHERE, ".envrc", "configuration that runs code"},
    {ANYWHERE, "mise.toml", "configuration that runs code"},
    {ANYWHERE, ".mise.toml", "configuration that runs code"},
    {ANYWHERE, ".tool-versions", "configuration that runs code"},
    {ANYWHERE, ".npmrc", "configuration that runs code"},
    {ANYWHERE, ".yarnrc*", "configuration that runs code"},
    {ANYWHERE, "bunfig.toml", "configuration that runs code"},
    {ANYWHERE, "rust-toolchain", "configuration that runs code"},
    {ANYWHERE, "rust-toolchain.toml", "configuration that runs code"},
    {ANYWHERE, ".mvn", "configuration that runs code"},
    {ANYWHERE, ".sbtopts", "configuration that runs code"},
    {ANYWHERE, ".jvmopts", "configuration that runs code"},
    {ANYWHERE, "tools/bazel", "configuration that runs code"},
    {ANYWHERE, ".pnpmfile.cjs", "configuration that runs code"},
    {ANYWHERE, ".cargo/config", "configuration that runs code"},
    {ANYWHERE, ".cargo/config.toml", "configuration that runs code"},
    {ANYWHERE, ".vscode/tasks.json", "configuration that runs code"},
    {ANYWHERE, ".vscode/settings.json", "configuration that runs code"},
    {ANYWHERE, ".vscode/launch.json", "configuration that runs code"},
    {ANYWHERE, ".devcontainer", "configuration that runs code"},
    {ANYWHERE, ".pre-commit-config.yaml", "configuration that runs code"},
    {ANYWHERE, "lefthook.y*ml", "configuration that runs code"},
    {ANYWHERE, ".idea", "configuration that runs code"},
    {HOME, ".vimrc", "configuration that runs code"},
    {HOME, ".config/nvim", "configuration that runs code"},
    {HOME, ".emacs*", "configuration that runs code"},
    {HOME, ".tmux.conf", "configuration that runs code"},
    {HOME, ".pythonrc*", "configuration that runs code"},
    {HOME, ".config/pip", "configuration that runs code"},
};

/* Reading here can give away keys, tokens or another person's files. */
static const struct place secret_places[] = {
    {HOME, ".ssh", "SSH keys"},
    {HOME, ".gnupg", "GnuPG keys"},
    {HOME, ".aws", "cloud credentials"},
    {HOME, ".azure", "cloud credentials"},
    {HOME, ".config/gcloud", "cloud credentials"},
    {HOME, ".oci", "cloud credentials"},
    {HOME, ".kube", "cluster credentials"},
    {HOME, ".docker/config.json", "container credentials"},
    {HOME, ".netrc", "credentials"},
    {HOME, "_netrc", "credentials"},
    {HOME, ".git-credentials", "credentials"},
    {HOME, ".config/git/credentials", "credentials"},
    {HOME, ".pgpass", "credentials"},
    {HOME, ".my.cnf", "credentials"},
    {HOME, ".config/gh", "credentials"},
    {HOME, ".config/hub", "credentials"},
    {HOME, ".config/glab-cli", "credentials"},
    {HOME, ".config/containers/auth.json", "container credentials"},
    {HOME, ".config/pypoetry/auth.toml", "credentials"},
    {HOME, ".config/rclone", "cloud credentials"},
    {HOME, ".config/doctl", "cloud credentials"},
    {HOME, ".config/hcloud", "cloud credentials"},
    {HOME, ".config/op", "a password store"},
    {HOME, ".config/sops", "keys"},
    {HOME, ".config/age", "keys"},
    {HOME, ".config/composer/auth.json", "credentials"},
    {HOME, ".composer/auth.json", "credentials"},
    {HOME, ".m2/settings.xml", "credentials"},
    {HOME, ".gradle/gradle.properties", "credentials"},
    {HOME, ".fly", "cloud credentials"},
    {HOME, ".s3cfg", "cloud credentials"},
    {HOME, ".boto", "cloud credentials"},
    {HOME, ".databrickscfg", "cloud credentials"},
    {HOME, ".config/claude", "credentials"},
    {HOME, ".claude/.credentials.json", "credentials"},
    {HOME, ".claude.json", "credentials"},
    {HOME, ".codex/auth.json", "credentials"},
    {HOME, ".gemini/oauth_creds.json", "credentials"},
    {HOME, ".npmrc", "credentials"},
    {HOME, ".yarnrc.yml", "credentials"},
    {HOME, ".pypirc", "credentials"},
    {HOME, ".cargo/credentials*", "credentials"},
    {HOME, ".gem/credentials", "credentials"},
    {HOME, ".terraform.d/credentials*", "credentials"},
    {HOME, ".vault-token", "credentials"},
    {HOME, ".password-store", "a password store"},
    {HOME, ".local/share/keyrings", "a password store"},
    {HOME, "Library/Messages", "private messages"},
    {HOME, "Library/Mail", "private mail"},
    {HOME, "Library/Keychains", "a password store"},
    {HOME, ".mozilla", "a browser's profile"},
    {HOME, ".config/google-chrome", "a browser's profile"},
    {HOME, ".config/chromium", "a browser's profile"},
    {HOME, ".config/pip", "credentials"},
    {HOME, ".config/heroku", "cloud credentials"},
    {HOME, ".config/configstore", "credentials"},
    {HOME, ".config/netlify", "cloud credentials"},
    {HOME, ".config/filezilla", "credentials"},
    {HOME, ".config/BraveSoftware", "a browser's profile"},
    {HOME, ".config/microsoft-edge", "a browser's profile"},
    {HOME, ".config/Code/User/globalStorage", "credentials"},
    {HOME, ".config/github-copilot", "credentials"},
    {HOME, ".copilot", "credentials"},
    {HOME, ".m2/settings*.xml", "credentials"},
    {HOME, ".nuget/NuGet/NuGet.Config", "credentials"},
    {HOME, ".bundle/config", "credentials"},
    {HOME, ".snowflake", "credentials"},
    {HOME, ".config/snowflake", "credentials"},
    {HOME, ".terraformrc", "credentials"},
    {HOME, ".wgetrc", "credentials"},
    {HOME, ".curlrc", "credentials"},
    {HOME, ".mutt*", "credentials"},
    {HOME, ".msmtprc", "credentials"},
    {HOME, ".thunderbird", "private mail"},
    {HOME, ".kaggle", "credentials"},
    {HOME, ".huggingface", "credentials"},
    {HOME, ".cache/huggingface/token", "credentials"},
    {HOME, ".electrum", "a wallet"},
    {HOME, ".bitcoin", "a wallet"},
    {HOME, ".ethereum", "a wallet"},
    {HOME, ".config/solana", "a wallet"},
    {HOME, "Library/Cookies", "a browser's profile"},
    {HOME, "Library/Safari", "a browser's profile"},
    {HOME, "Library/Application Support/Google/Chrome", "a browser's profile"},
    {HOME, "Library/Application Support/Firefox", "a browser's profile"},
    {HOME, ".lesshst", "a history of commands"},
    {HOME, ".viminfo", "a history of commands"},
    {HOME, ".*_history", "a history of commands"},
    {HOME, ".bash_history", "a history of commands"},
    {HOME, ".zsh_history", "a history of commands"},
    {HOME, ".local/share/fish/fish_history", "a history of commands"},
    {HOME, ".config/warder", "Warder's own settings", true},
    {HOME, ".local/state/warder", "Warder's own state", true},
    {HOME, "Library/Accounts", "credentials"},
    {HOME, "Library/Application Support/BraveSoftware", "a browser's profile"},
    {HOME, "Library/Application Support/Microsoft Edge", "a browser's profile"},
    {HOME, "Library/Application Support/Chromium", "a browser's profile"},
    {HOME, "Library/Application Support/Arc", "a browser's profile"},
    {HOME, "Library/Application Support/AddressBook", "private contacts"},
    {HOME, "Library/Calendars", "a private calendar"},
    {HOME, "Library/Application Support/com.apple.TCC", "what programs may do"},
    {HOME, "Library/Containers", "private data of programs"},
    {HOME, "Library/Group Containers", "private data of programs"},
    {HOME, "snap/firefox", "a browser's profile"},
    {HOME, "snap/chromium", "a browser's profile"},
    {HOME, ".var/app", "private data of programs"},
    {HOME, ".config/vivaldi", "a browser's profile"},
    {HOME, ".config/opera", "a browser's profile"},
    {HOME, ".config/Slack", "private messages"},
    {HOME, ".config/discord", "private messages"},
    {HOME, ".config/Signal", "private messages"},
    {HOME, ".local/share/TelegramDesktop", "private messages"},
    {HOME, ".config/Bitwarden", "a password store"},
    {HOME, ".config/1Password", "a password store"},
    {HOME, ".config/keepassxc", "a password store"},
    {HOME, ".local/share/kwalletd", "a password store"},
    {HOME, ".pki", "keys"},
    {HOME, ".Xauthority", "who may use the screen"},
    {HOME, ".ICEauthority", "who may use the screen"},
    {HOME, ".vnc", "credentials"},
    {HOME, ".subversion/auth", "credentials"},
    {HOME, ".minikube", "cluster credentials"},
    {HOME, ".config/helm/registry", "container credentials"},
    {HOME, ".pulumi/credentials.json", "cloud credentials"},
    {HOME, ".config/ngrok", "credentials"},
    {HOME, ".ngrok2", "credentials"},
    {HOME, ".config/stripe", "credentials"},
    {HOME, ".wrangler", "cloud credentials"},
    {HOME, ".local/share/com.vercel.cli", "cloud credentials"},
    {HOME, ".histfile", "a history of commands"},
    {HOME, ".history", "a history of commands"},
    {HOME, ".config/fish/fish_history", "a history of commands"},
    {HOME, ".local/share/nvim/shada", "a history of commands"},
    {ANYWHERE, ".env", "an environment file"},
    {ANYWHERE, ".env.*", "an environment file"},
    {ANYWHERE, "*.pem", "a key file"},
    {ANYWHERE, "*.key", "a key file"},
    {ANYWHERE, "*.p12", "a key file"},
    {ANYWHERE, "*.pfx", "a key file"},
    {ANYWHERE, "*.keystore", "a key file"},
    {ANYWHERE, "*.jks", "a key file"},
    {ANYWHERE, "id_rsa*", "an SSH key"},
    {ANYWHERE, "id_ed25519*", "an SSH key"},
    {ANYWHERE, "id_ecdsa*", "an SSH key"},
    {ANYWHERE, "id_dsa*", "an SSH key"},
    {ANYWHERE, ".ssh", "SSH keys"},
    {ANYWHERE, ".aws", "cloud credentials"},
    {ANYWHERE, ".gnupg", "GnuPG keys"},
    {ANYWHERE, "credentials", "credentials"},
    {ANYWHERE, "credentials.json", "credentials"},
    {ANYWHERE, "secret.txt", "secrets"},
    {ANYWHERE, "secrets.txt", "secrets"},
    {ANYWHERE, "secret.y*ml", "secrets"},
    {ANYWHERE, "secrets.y*ml", "secrets"},
    {ANYWHERE, "secret.json", "secrets"},
    {ANYWHERE, "secrets.json", "secrets"},
    {ANYWHERE, "secrets.toml", "secrets"},
    {ANYWHERE, "secrets.env", "secrets"},
    {ANYWHERE, "passwords.txt", "secrets"},
    {ANYWHERE, ".htpasswd", "credentials"},
    {ANYWHERE, ".pgpass", "credentials"},
    {ANYWHERE, ".netrc", "credentials"},
    {ANYWHERE, "*.kdbx", "a password store"},
    {ANYWHERE, "*.ppk", "a key file"},
    {ANYWHERE, "*.p8", "a key file"},
    {ANYWHERE, "kubeconfig", "cluster credentials"},
    {ANYWHERE, ".pypirc", "credentials"},
    {ANYWHERE, ".dockercfg", "container credentials"},
    {ANYWHERE, ".vault-token", "credentials"},
    {ANYWHERE, "service-account*.json", "cloud credentials"},
    {ANYWHERE, ".git-credentials", "credentials"},
    {ANYWHERE, "*.tfstate", "infrastructure state, which holds secrets"},
    {ROOT, "etc/shadow*", "password hashes"},
    {ROOT, "etc/gshadow*", "password hashes"},
    {ROOT, "etc/sudoers*", "who may become root"},
    {ROOT, "etc/ssl/private", "private keys"},
    {ROOT, "etc/pki/tls/private", "private keys"},
    {ROOT, "etc/krb5.keytab", "private keys"},
    {ROOT, "etc/kubernetes/pki", "cluster credentials"},
    {ROOT, "etc/NetworkManager/system-connections", "credentials"},
    {ROOT, "etc/wpa_supplicant", "credentials"},
    {ROOT, "etc/rancher", "cluster credentials"},
    {ROOT, "etc/wireguard", "private keys"},
    {ROOT, "etc/letsencrypt", "private keys"},
    {ROOT, "etc/ssh/ssh_host_*", "private keys"},
    {ROOT, "etc/kubernetes/*.conf", "cluster credentials"},
    {ROOT, "root", "another user's home"},
    {ROOT, "proc/*/environ", "the environment of a process"},
    {ROOT, "proc/*/task/*/environ", "the environment of a process"},
    {ROOT, "proc/*/mem", "the memory of a process"},
    {ROOT, "proc/*/root", "the disk as a process sees it"},
    {ROOT, "proc/*/cwd", "the disk as a process sees it"},
    {ROOT, "proc/*/fd", "the open files of a process"},
    {ROOT, "proc/kcore", "the memory of the machine"},
    {ROOT, "dev/mem", "the memory of the machine"},
    {ROOT, "dev/tcp", "a connection to another machine"}, /* of the shell, in redirections */
    {ROOT, "dev/udp", "a connection to another machine"},
    {ROOT, "run/secrets", "secrets"},
    {ROOT, "var/run/secrets", "secrets"},
    {ROOT, "etc/security/opasswd", "password hashes"},
    {ROOT, "etc/master.passwd", "password hashes"},
    {ROOT, "private/etc/master.passwd", "password hashes"},
    {ROOT, "var/db/dslocal", "password hashes"},
    {ROOT, "private/var/db/dslocal", "password hashes"},
    {ROOT, "Library/Keychains", "a password store"},
    {ROOT, "Users/*/Library/Keychains", "a password store"},
    {ROOT, "var/backups", "copies of the user database"},
    {ROOT, "var/log/auth.log*", "who logged in"},
    {ROOT, "var/log/secure*", "who logged in"},
    {ROOT, "var/log/audit", "who did what"},
    {ROOT, "var/lib/kubelet", "cluster credentials"},
    {ROOT, "var/lib/sss", "credentials"},
    {ROOT, "var/lib/samba/private", "credentials"},
    {ROOT, "var/lib/NetworkManager", "credentials"},
    {ROOT, "var/spool/mail", "private mail"},
    {ROOT, "var/mail", "private mail"},
    {ROOT, "etc/openvpn", "private keys"},
    {ROOT, "etc/ipsec.secrets", "private keys"},
    {ROOT, "etc/ppp/*-secrets", "credentials"},
    {ROOT, "dev/kmem", "the memory of the machine"},
    {ROOT, "dev/port", "the memory of the machine"},
    {ROOT, "dev/sd*", "a raw disk"},
    {ROOT, "dev/vd*", "a raw disk"},
    {ROOT, "dev/xvd*", "a raw disk"},
    {ROOT, "dev/nvme*", "a raw disk"},
    {ROOT, "dev/mmcblk*", "a raw disk"},
    {ROOT, "dev/dm-*", "a raw disk"},
    {ROOT, "dev/disk*", "a raw disk"},
    {ROOT, "dev/rdisk*", "a raw disk"},
    {ROOT, "dev/mapper", "a raw disk"},
    {ROOT, "dev/input", "what is typed"},
    {ROOT, "dev/snd", "a microphone"},
    {ROOT, "dev/video*", "a camera"},
    {ROOT, "proc/*/stack", "the memory of a process"},
    {ROOT, "proc/keys", "keys of the kernel"},
    {ROOT, "proc/key-users", "keys of the kernel"},
    {ROOT, "var/lib/warder", "Warder's own state", true},
};

/* Named like secrets, and made to be read. */
static const struct place public_places[] = {
    {ANYWHERE, ".env.example", ""},   {ANYWHERE, ".env.sample", ""},   {ANYWHERE, ".env.template", ""},
    {ANYWHERE, ".env.dist", ""},      {ANYWHERE, ".env.defaults", ""}, {ANYWHERE, "id_rsa.pub", ""},
    {ANYWHERE, "id_ed25519.pub", ""}, {ANYWHERE, "id_ecdsa.pub", ""},
};

/* '*' within one component; the usual greedy loop. */
static bool component_is(struct str pattern, struct str name)
{
    size_t p = 0, n = 0, star = STR_NONE, from = 0;

    while (n < name.len) {
        if (p < pattern.len && pattern.s[p] == '*') {
            star = p++;
            from = n;
        } else if (p < pattern.len && ascii_lower(pattern.s[p]) == ascii_lower(name.s[n])) {
            p++;
            n++;
        } else if (star != STR_NONE) {
            p = star + 1;
            n = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.s[p] == '*')
        p++;
    return p == pattern.len;
}

/* Do the components of `pattern` begin `path`? */
static bool begins(struct str pattern, struct str path)
{
    struct str want, have;

    while (pattern.len) {
        if (path.len == 0)
            return false;
        str_cut(pattern, '/', &want, &pattern);
        str_cut(path, '/', &have, &path);
        if (!component_is(want, have))
            return false;
    }
    return true;
}

static bool begins_anywhere(struct str pattern, struct str path)
{
    struct str component;

    while (path.len) {
        if (begins(pattern, path))
            return true;
        str_cut(path, '/', &component, &path);
    }
    return false;
}

/* `dir` without regard to case: a file system may not tell the two apart. */
static bool below(struct str dir, struct str path, struct str *rest)
{
    if (dir.len == 0 || path.len <= dir.len || path.s[dir.len] != '/' ||
        !str_eq_nocase(str_slice(path, 0, dir.len), dir))
        return false;
    *rest = str_from_byte(path, dir.len + 1);
    return true;
}

static bool path_in(const struct place *p, struct str path, struct str home)
{
    struct str rest;

    switch (p->where) {
    case HOME:
        return below(home, path, &rest) && begins(str_from(p->path), rest);
    case ROOT:
        return path.len > 1 && begins(str_from(p->path), str_from_byte(path, 1));
    case ANYWHERE:
        return begins_anywhere(str_from(p->path), str_from_byte(path, 1));
    }
    return true;
}

/* The place as a glob, to be compared with a path that is itself a glob. */
static bool pattern_in(const struct facts *f, const struct place *p, struct str home, struct str path)
{
    struct glob *place, *shell;
    struct str text;

    if (p->where == HOME)
        text = str_format(f->arena, "%s/%s{,/**}", glob_escape(f->arena, home).s, p->path);
    else
        text = str_format(f->arena, p->where == ROOT ? "/%s{,/**}" : "/**/%s{,/**}", p->path);
    if (glob_compile(f->arena, text, GLOB_PATH | GLOB_NOCASE | GLOB_BRACES, &place, NULL) != STATUS_OK ||
        glob_compile(f->arena, path, GLOB_PATH | GLOB_NOCASE | GLOB_BRACES, &shell, NULL) != STATUS_OK)
        return true; /* cannot be told: it could */
    return glob_intersects(place, shell);
}

/* The first letters of a path's components: most rows of a table can be passed over by looking at theirs. */
struct initials {
    bool has[UCHAR_MAX + 1];
};

static void note_initials(struct initials *seen, struct str path)
{
    for (size_t i = 0; i < path.len; i++)
        if (i == 0 || path.s[i - 1] == '/')
            seen->has[(unsigned char)ascii_lower(path.s[i])] = true;
}

static bool may_begin(const struct initials *seen, const char *path)
{
    return path[0] == '*' || seen->has[(unsigned char)ascii_lower(path[0])];
}

/* For a shell, no wildcard stands for a dot that begins a name (shopt dotglob is not understood). So a pattern of which
 * no component begins with one finds nothing hidden. Other tools' patterns may, and what cannot be placed. */
static bool finds_hidden(const struct facts *f, struct str pattern)
{
    for (size_t i = 0; i < pattern.len; i++)
        if (strchr("[({\\", pattern.s[i]))
            return true;
    return f->call->kind != TOOL_SHELL || str_contains(pattern, STR("/.")) || str_is(pattern, "/**");
}

static const struct place *find(const struct facts *f, const struct place *places, size_t count,
                                const struct subject_path *given)
{
    struct subject_path spelled = *given, *path = &spelled;
    struct str home = utf8_fold(f->arena, f->home);
    struct initials seen = {0};
    bool hidden = !path->pattern || finds_hidden(f, path->written);

    spelled.written = utf8_fold(f->arena, given->written);
    spelled.resolved = utf8_fold(f->arena, given->resolved);

    note_initials(&seen, path->written);
    note_initials(&seen, path->resolved);
    for (size_t i = 0; i < count; i++) {
        if (!path->pattern && !may_begin(&seen, places[i].path))
            continue;
        /* Whether a place that has only a name is matched, its files say (secret_among). The name itself is written
         * as it is found in the table (*.pem), or not at all. */
        if (path->files && places[i].where == ANYWHERE) {
            if (path_in(&places[i], path->written, home))
                return &places[i];
            continue;
        }
        if (places[i].path[0] == '.' && !hidden)
            continue;
        if (path->pattern ? pattern_in(f, &places[i], home, path->written) : path_in(&places[i], path->written, home))
            return &places[i];
        if (!path->pattern && path->resolved.len && path_in(&places[i], path->resolved, home))
            return &places[i];
    }
    return NULL;
}

/* Somebody else's home: every directory below /home but our own. */
static bool other_home(struct str path, struct str home)
{
    struct str rest;

    return below(STR("/home"), path, &rest) && !path_is_inside(path, home);
}

const char *territory_protected(const struct facts *f, const struct subject_path *path)
{
    const struct place *p = find(f, protected_places, COUNT(protected_places), path);

    return p ? p->what : NULL;
}

const char *territory_own(const struct facts *f, const struct subject_path *path)
{
    const struct place *p = find(f, protected_places, COUNT(protected_places), path);

    return p && p->own ? p->what : NULL;
}

/* Of a pattern whose files are known, those count, too. */
static const char *secret_among(const struct facts *f, const struct subject_paths *files)
{
    for (size_t i = 0; i < files->count; i++) {
        const char *what = territory_secret(f, &files->items[i]);
        if (what || files->items[i].resolved.len == 0)
            return what ? what : "a place that cannot be told";
    }
    return NULL;
}

const char *territory_secret(const struct facts *f, const struct subject_path *path)
{
    const struct place *p = find(f, secret_places, COUNT(secret_places), path);

    if (p && !path->pattern && find(f, public_places, COUNT(public_places), path) &&
        str_eq(path->written, path->resolved))
        return NULL;
    /* /root is somebody else's home unless it is ours or the work lies there. */
    if (p && str_is(str_from(p->path), "root") &&
        (path_is_inside(path->written, f->home) || territory_workspace(f, path)))
        p = NULL;
    if (p)
        return p->what;
    if (!path->pattern && other_home(path->resolved.len ? path->resolved : path->written, f->home) &&
        !territory_workspace(f, path))
        return "another user's home";
    return path->files ? secret_among(f, path->files) : NULL;
}

static bool secret_below(const struct facts *f, struct str directory)
{
    for (size_t i = 0; i < COUNT(secret_places); i++) {
        const struct place *p = &secret_places[i];
        struct str base = p->where == HOME ? f->home : STR("/");
        if (p->where != ANYWHERE && path_is_inside(path_join(f->arena, base, str_from(p->path)), directory))
            return true;
    }
    return false;
}

static bool is_open(const struct facts *f, struct str directory)
{
    return !territory_too_wide(directory, f->home) && !secret_below(f, directory);
}

bool territory_open_below(const struct facts *f, const struct subject_path *path)
{
    for (size_t i = 0; path->files && i < path->files->count; i++)
        if (!territory_open_below(f, &path->files->items[i]))
            return false;
    if (path->pattern)
        return path->files != NULL;
    return is_open(f, path->written) && is_open(f, path->resolved);
}

static bool inside_one(const struct facts *f, struct str path)
{
    if (f->workspace.len && path_is_inside(path, f->workspace))
        return true;
    for (size_t i = 0; i < f->book->directories.count; i++)
        if (path_is_inside(path, f->book->directories.items[i].path))
            return true;
    return worktree_is_linked(f, path);
}

bool territory_workspace(const struct facts *f, const struct subject_path *path)
{
    return !path->pattern && path->resolved.len && inside_one(f, path->written) && inside_one(f, path->resolved);
}

/* Places for temporary files; '*' stands for one component. The last ones are what mktemp gives on macOS. */
static const char *const temporary_places[] = {
    "tmp", "var/tmp", "private/tmp", "private/var/tmp", "var/folders/*/*/T", "private/var/folders/*/*/T"};

/* What programs keep there for themselves: whoever writes it talks to them, or stops them. */
static const char *const kept_names[] = {".*",       "ssh-*",   "tmux-*",  "screen*", "systemd-*",
                                         "dbus-*",   "gpg-*",   "snap*",   "pulse-*", "krb5cc*",
                                         "vscode-*", "warder*", "claude*", "codex*",  "com.apple.*"};

static bool is_kept(struct str name)
{
    for (size_t i = 0; i < COUNT(kept_names); i++)
        if (component_is(str_from(kept_names[i]), name))
            return true;
    return false;
}

static bool is_temporary(struct str path)
{
    for (size_t i = 0; path.len > 1 && i < COUNT(temporary_places); i++) {
        struct str place = str_from(temporary_places[i]), rest = str_from_byte(path, 1), component, name;
        if (!begins(place, rest))
            continue;
        for (size_t n = path_depth(place); n > 0; n--)
            str_cut(rest, '/', &component, &rest);
        str_cut(rest, '/', &name, &component);
        if (name.len && !is_kept(name))
            return true;
    }
    return false;
}

bool territory_temporary(const struct facts *f, const struct subject_path *path)
{
    (void)f;
    return !path->pattern && path->resolved.len && is_temporary(path->written) && is_temporary(path->resolved);
}

bool territory_too_wide(struct str path, struct str home)
{
    return path.len <= 1 || path_is_inside(home, path) || str_is(path, "/home") || str_is(path, "/root");
}
