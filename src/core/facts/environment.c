#include "facts/environment.h"

#include "base/ascii.h"

/* Names, or beginnings of names when they end in '*', or ends when they begin
 * with one. Facts from the manual pages of the programs named behind them. */
static const char *const dangerous[] = {
    /* the shell itself and the loader */
    "PATH",
    "CDPATH",
    "IFS",
    "ENV",
    "BASH_*",
    "SHELLOPTS",
    "BASHOPTS",
    "PS1",
    "PS2",
    "PS4",
    "PROMPT_COMMAND",
    "GLOBIGNORE",
    "NULLCMD", /* of zsh: what a redirection without a command runs */
    "READNULLCMD",
    "EXECIGNORE",
    "FUNCNEST", /* a call that is one too many is given up, and with it the line */
    "FIGNORE",
    "INPUTRC",
    "HIST*", /* also what is kept out of it */
    "POSIXLY_CORRECT",
    "LD_*",
    "DYLD_*",
    "GCONV_PATH",
    "LOCPATH",
    "NLSPATH",
    "HOSTALIASES",
    "RES_OPTIONS",
    "MALLOC_*",
    "GLIBC_TUNABLES",
    "HOME",
    "XDG_*",
    "TMPDIR",
    "SHELL",
    "USER",
    "LOGNAME",
    "PWD",
    "OLDPWD",
    /* what is started to show, edit or open things */
    "*PAGER",
    "*EDITOR",
    "VISUAL",
    "*BROWSER",
    "LESS*",
    "MANOPT",
    "MANPATH",
    "MANROFF*", /* MANROFFOPT=-U lets a page run commands */
    "GROFF_*",
    "TROFF*",
    "MORE",
    "*ASKPASS",
    "TERMINFO*",
    "TERMCAP",
    /* git, ssh, network */
    "GIT_*",
    "GH_*",
    "GITHUB_TOKEN",
    "SSH_*",
    "*_proxy",
    "*_PROXY",
    "CURL_*",
    "WGETRC",
    "NETRC",
    "SSL_*",
    "OPENSSL_*",
    "RSYNC_*",
    "DOCKER_*",
    "CONTAINER_CONNECTION",
    "CONTAINER_HOST",
    "CONTAINER_SSHKEY",
    "CONTAINERS_*",
    "BUILDX_*",
    "NERDCTL_*",
    "MINIKUBE_*",
    "KIND_EXPERIMENTAL_*",
    "KUBE*",
    "HELM_*",
    "AWS_*",
    "AZURE_*",
    "GOOGLE_*",
    "CLOUDSDK_*",
    "TF_*",
    "PG*",
    "MYSQL_*",
    "MARIADB_*",
    "LIBMYSQL*", /* libraries that it loads */
    "PSQL*",
    "SQLITE_*",
    "REDISCLI_*",
    "GNUPG*", /* its gpg.conf names programs */
    "KRB5*",
    "LOCALDOMAIN",
    "DBUS_*", /* unixexec: is an address that is run */
    "SYSTEMD_*",
    "DEBUGINFOD_*",
    "GITHUB_HOST",
    "GITLAB_*",
    "GLAB_*",
    "HUB_*",
    "HEROKU_API_*",
    "HEROKU_HOST",
    "NETLIFY_*",
    "VERCEL_*",
    "FLY_*",
    "RAILWAY_*",
    "SUPABASE_INTERNAL_*",
    "CLOUDFLARE_API_*",
    "WRANGLER_*",
    "DIGITALOCEAN_*",
    "FIREBASE_*",
    "RCLONE_*",
    "BOTO*",
    "S3CMD*",
    "TURBO_API",
    "*_MIRROR",
    /* packages of the system */
    "APT_CONFIG",
    "DPKG_*",
    "RPM_*", /* macros run commands */
    "ZYPP_*",
    "PACMAN*",
    "NIX_*",
    "FLATPAK_*",
    "PORTSRC",
    "HOMEBREW_*",
    /* libraries of desktops and sound, which load and start what their settings say */
    "GIO_*",
    "GTK_*",
    "GDK_*",
    "GST_*",
    "QT_*",
    "ALSA_*",
    "PULSE_*",
    "PIPEWIRE_*",
    "DEVELOPER_DIR", /* of macOS: where git, make and python3 are */
    "TOOLCHAINS",
    "SDKROOT",
    /* languages and their tools */
    "PYTHON*",
    "__PYVENV_LAUNCHER__", /* where a Python on macOS takes itself to be */
    "PYENV_*", /* and its like for other languages: which program a name means, and scripts of its
                  own */
    "RBENV_*",
    "NODENV_*",
    "JENV_*",
    "PLENV_*",
    "CONDA*",
    "MAMBA*",
    "JUPYTER*",
    "IPYTHON*",
    "VIRTUAL_ENV",
    "PIP_*",
    "UV_*",
    "POETRY_*",
    "NODE_*",
    "NPM_*",
    "npm_*",
    "YARN_*",
    "PNPM_*",
    "BUN_*",
    "DENO_*",
    "PERL*",
    "RUBY*",
    "GEM_*",
    "BUNDLE_*",
    "RUSTC*",
    "RUSTFLAGS",
    "RUSTDOC*",
    "CARGO_*",
    "RUSTUP_*",
    "GO*",
    "CGO_*",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS",
    "JAVA_OPTS",
    "JAVA_HOME",
    "CLASSPATH",
    "MAVEN_*",
    "MVN_*",
    "GRADLE_*",
    "SBT_*",
    "PHP*",
    "COMPOSER_*",
    "LUA_*",
    "ERL_*",
    "ELIXIR_*",
    "MIX_*",
    "DOTNET_*",
    "JULIA_*",
    "R_*",
    "GUILE_*",
    "TCL*",
    "CLANG*",
    /* compilers and builds */
    "CC",
    "CXX",
    "CPP",
    "LD",
    "AR",
    "AS",
    "NM",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "LEX",
    "YACC",
    "FC",
    "PC",
    "M2C",
    "CO",
    "GET",
    "LINT",
    "TEX",
    "TEXI2DVI",
    "WEAVE",
    "CWEAVE",
    "TANGLE",
    "CTANGLE",
    "RM",
    "INSTALL",
    "RANLIB",
    "STRIP",
    "OBJCOPY",
    "OBJDUMP",
    "WINDRES",
    "BISON",
    "FLEX",
    "AWK",
    "NODE",
    "NPM",
    "CARGO",
    "JAVA",
    "JAVAC",
    "ARFLAGS",
    "ASFLAGS",
    "FFLAGS",
    "LFLAGS",
    "YFLAGS",
    "LDLIBS",
    "*_COMMAND",
    "*_CMD",
    "*_WRAPPER",
    "*_LAUNCHER",
    "*_BINARY",
    "*_BINARY_PATH",
    "*_EXECUTABLE_PATH",
    "PRISMA_*",
    "MAKE*",
    "GNUMAKEFLAGS",
    "MFLAGS",
    "CMAKE_*",
    "CTEST_*",
    "NINJA*",
    "CCACHE_*",
    "GCC_*",
    "COMPILER_PATH",
    "LIBRARY_PATH",
    "CPATH",
    "C_INCLUDE_PATH",
    "PKG_CONFIG*",
    "TAR_*",
    "TAPE",
    "GZIP",
    "BZIP*",
    "XZ_*",
    "ZIPINFO*",
    "GREP_*",
    "ZIPOPT",
    "UNZIP*",
    "RIPGREP_CONFIG_PATH",
    "FZF_*",
    "BAT_*",
    "DELTA_*",
    "AWKPATH",
    "AWKLIBPATH",
    "GAWK*",
    "SED*",
    "BC_ENV_ARGS",
    "MAGIC",
    "GETCONF_DIR",
    "EXIFTOOL_*",
    "FFREPORT",
    "SOX_*",
    "WIRESHARK_*",
    "SHELLCHECK_*",
    "BEADS_*",
    "BD_*",
    "TERRAFORM_CONFIG",
    "TERRAGRUNT_*",
    "PACKER_*",
    "ACK_*",
    "VIMINIT",
    "EXINIT",
    "VIM*",
    "NVIM_*",
    "EMACS*",
    "TMUX*",
    "SCREENRC",
    /* agents and Warder */
    "CLAUDE*",
    "ANTHROPIC_*",
    "CODEX_*",
    "OPENAI_*",
    "GEMINI_*",
    "COPILOT_*",
    "QWEN_*",
    "WARDER_*",
    "CHIMERA_*",
    "PYTEST_*",
    "JEST_*",
    "VITEST_*",
    "PRE_COMMIT_*",
    "HUSKY*",
    "DIRENV_*",
    "MISE_*",
    "ASDF_*",
    "NVM_*",
    "ANSIBLE_*",
    "VAGRANT_*",
    "COMPOSE_*",
    "SSLKEYLOGFILE",
};

/* In a dangerous family, and harmless by themselves. */
static const char *const harmless[] = {
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHASHSEED",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
    "PYTHONFAULTHANDLER",
    "NODE_ENV",
    "NODE_NO_WARNINGS",
    "NODE_DISABLE_COLORS",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
    "CARGO_TERM_COLOR",
    "CARGO_INCREMENTAL",
    "GOOS",
    "GOARCH",
    "GOMAXPROCS",
    "GOTRACEBACK",
    "DOTNET_CLI_TELEMETRY_OPTOUT",
    "DOTNET_NOLOGO",
    "TF_IN_AUTOMATION",
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_DATE",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_DATE",
    "GIT_PAGER_IN_USE",
    "GIT_TERMINAL_PROMPT",
    "GIT_OPTIONAL_LOCKS",
    "MANWIDTH",
    "HOMEBREW_NO_AUTO_UPDATE",
    "HOMEBREW_NO_ENV_HINTS",
    "HOMEBREW_NO_INSTALL_CLEANUP",
    "NPM_CONFIG_LOGLEVEL",
    "npm_config_loglevel",
    "MIX_ENV",
    "CMAKE_BUILD_PARALLEL_LEVEL",
    "CTEST_OUTPUT_ON_FAILURE",
    "JEST_WORKER_ID",
    "VITEST_MAX_THREADS",
    "BUN_TEST_TIMEOUT",
    "GOLANGCI_LINT_LOG_LEVEL",
};

/* Programs to be run that do nothing, and switches that are files only when they look like one. */
static const struct {
    const char *name, *value;
} harmless_values[] = {
    {"*EDITOR", "true"}, {"*EDITOR", ":"},    {"*PAGER", "cat"},      {"GIT_TRACE*", "0"},
    {"GIT_TRACE*", "1"}, {"GIT_TRACE*", "2"}, {"GIT_TRACE*", "true"},
};

static bool fits(const char *pattern, struct str name)
{
    struct str p = str_from(pattern);
    if (p.s[0] == '*')
        return str_ends(name, str_from_byte(p, 1));
    if (p.s[p.len - 1] == '*')
        return str_starts(name, str_slice(p, 0, p.len - 1));
    return str_eq(name, p);
}

static bool listed(const char *const *list, size_t count, struct str name)
{
    const char first = name.len ? name.s[0] : '*';

    for (size_t i = 0; i < count; i++)
        if ((list[i][0] == first || list[i][0] == '*') && fits(list[i], name))
            return true; /* by their first byte nearly all of a long list do not */
    return false;
}

static bool is_plain(struct str value)
{
    for (size_t i = 0; i < value.len; i++)
        if (!ascii_is_alnum(value.s[i]) && (!value.s[i] || !strchr("_.,:+-", value.s[i])))
            return false;
    return value.len == 0 || value.s[0] != '-';
}

/* postgres://localhost/test */
static bool is_on_this_machine(struct str url)
{
    struct str rest = {0};
    size_t n = 0;

    while (n < url.len && ascii_is_alnum(url.s[n]))
        n++;
    if (n == 0 || !str_starts(str_from_byte(url, n), STR("://")))
        return false;
    for (size_t i = 0; i < url.len; i++)
        if (!ascii_is_alnum(url.s[i]) && (!url.s[i] || !strchr("_.:/@?=&-", url.s[i])))
            return false;
    rest = str_from_byte(url, n + 3);
    if (str_has(rest, '@'))
        rest = str_from_byte(rest, str_last_index(rest, '@') + 1);
    if (str_starts(rest, STR("localhost")))
        rest = str_from_byte(rest, strlen("localhost"));
    else if (str_starts(rest, STR("127.0.0.1")))
        rest = str_from_byte(rest, strlen("127.0.0.1"));
    else
        return false;
    return rest.len == 0 || rest.s[0] == ':' || rest.s[0] == '/';
}

bool environment_is_for_anybody(struct str name, struct str value)
{
    static const char *const plain[] = {"LANG",     "LANGUAGE", "LC_*",     "TZ",
                                        "RUST_LOG", "DEBUG",    "LOG_LEVEL"};

    return listed(plain, COUNT(plain), name) || listed(harmless, COUNT(harmless), name) ||
           is_plain(value) || is_on_this_machine(value);
}

bool environment_is_dangerous(struct str name, const struct str *value)
{
    for (size_t i = 0; value && i < COUNT(harmless_values); i++)
        if (fits(harmless_values[i].name, name) && str_is(*value, harmless_values[i].value))
            return false;
    return listed(dangerous, COUNT(dangerous), name) && !listed(harmless, COUNT(harmless), name);
}
