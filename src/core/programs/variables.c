/* variables.c - the table of environment variables. */
#include "programs/variables.h"

enum {
    STEERS = VARIABLE_STEERS,
    NOTED = VARIABLE_NOTED,
    HARMLESS = VARIABLE_HARMLESS,
    TRANSPARENT = VARIABLE_TRANSPARENT,
    TEXT = VARIABLE_TEXT,
    AS_OPTION = VARIABLE_AS_OPTION,
    COMMAND = VARIABLE_COMMAND,
};

#define ENDS_IN(text, uses)                                                                        \
    {                                                                                              \
        "*" text, uses, NULL, STR(text)                                                            \
    }

/* Names, beginnings of names when they end in '*', or ends when they begin with one. All that fit
 * count. Facts from the manual pages of the programs. ORDER: by bytes. */
static const struct variable {
    const char *name;
    unsigned uses; /* enum variable_use */
    const char *option;
    struct str end; /* what is behind the star of an end, which is compared with every name */
} variables[] = {
    ENDS_IN("ASKPASS", STEERS | COMMAND),
    ENDS_IN("BROWSER", STEERS | COMMAND),
    ENDS_IN("EDITOR", STEERS | COMMAND),
    ENDS_IN("PAGER", STEERS | COMMAND),
    ENDS_IN("_BINARY", STEERS),
    ENDS_IN("_BINARY_PATH", STEERS),
    ENDS_IN("_CMD", STEERS | COMMAND),
    ENDS_IN("_COMMAND", STEERS | COMMAND),
    ENDS_IN("_EXECUTABLE_PATH", STEERS),
    ENDS_IN("_LAUNCHER", STEERS | COMMAND),
    ENDS_IN("_MIRROR", STEERS),
    ENDS_IN("_PROXY", STEERS),
    ENDS_IN("_WRAPPER", STEERS | COMMAND),
    ENDS_IN("_proxy", STEERS),
    {"ACK_*", STEERS},
    {"ALL_PROXY", NOTED},
    {"ALSA_*", STEERS},
    {"ANSIBLE_*", STEERS},
    {"ANTHROPIC_*", STEERS},
    {"APP_ENV", TRANSPARENT},
    {"APT_CONFIG", STEERS},
    {"AR", STEERS | COMMAND},
    {"ARFLAGS", STEERS},
    {"AS", STEERS | COMMAND},
    {"ASDF_*", STEERS},
    {"ASFLAGS", STEERS},
    {"AWK", STEERS},
    {"AWKLIBPATH", STEERS},
    {"AWKPATH", STEERS},
    {"AWS_*", STEERS},
    {"AWS_DEFAULT_OUTPUT", AS_OPTION, "aws --output"},
    {"AWS_DEFAULT_PROFILE", AS_OPTION, "aws --profile"},
    {"AWS_DEFAULT_REGION", AS_OPTION, "aws --region"},
    {"AWS_MAX_ATTEMPTS", HARMLESS},
    {"AWS_PROFILE", AS_OPTION, "aws --profile"},
    {"AWS_REGION", AS_OPTION, "aws --region"},
    {"AWS_RETRY_MODE", HARMLESS},
    {"AZURE_*", STEERS},
    {"BASHOPTS", STEERS | NOTED},
    {"BASH_*", STEERS},
    {"BASH_ALIASES*", NOTED},
    {"BASH_ENV", NOTED},
    {"BASH_FUNC_*", NOTED},
    {"BASH_XTRACEFD", NOTED},
    {"BAT_*", STEERS},
    {"BC_ENV_ARGS", STEERS},
    {"BD_*", STEERS},
    {"BEADS_*", STEERS},
    {"BISON", STEERS},
    {"BOTO*", STEERS},
    {"BROWSER", NOTED},
    {"BUILDX_*", STEERS},
    {"BUNDLE_*", STEERS},
    {"BUN_*", STEERS},
    {"BUN_TEST_TIMEOUT", HARMLESS},
    {"BZIP*", STEERS},
    {"CARGO", STEERS},
    {"CARGO_*", STEERS | NOTED},
    {"CARGO_BUILD_JOBS", HARMLESS},
    {"CARGO_INCREMENTAL", HARMLESS},
    {"CARGO_TERM_COLOR", HARMLESS},
    {"CARGO_TERM_PROGRESS_WHEN", HARMLESS},
    {"CARGO_TERM_PROGRESS_WIDTH", HARMLESS},
    {"CARGO_TERM_QUIET", HARMLESS},
    {"CARGO_TERM_VERBOSE", HARMLESS},
    {"CC", STEERS | NOTED | COMMAND},
    {"CCACHE_*", STEERS},
    {"CDPATH", STEERS | NOTED},
    {"CFLAGS", STEERS},
    {"CGO_*", STEERS},
    {"CGO_ENABLED", HARMLESS},
    {"CHIMERA_*", STEERS},
    {"CI", TRANSPARENT},
    {"CLANG*", STEERS},
    {"CLASSPATH", STEERS | NOTED},
    {"CLAUDE*", STEERS},
    {"CLICOLOR", TRANSPARENT},
    {"CLICOLOR_FORCE", TRANSPARENT},
    {"CLOUDFLARE_API_*", STEERS},
    {"CLOUDSDK_*", STEERS},
    {"CLOUDSDK_ACTIVE_CONFIG_NAME", AS_OPTION, "gcloud --configuration"},
    {"CLOUDSDK_COMPUTE_REGION", AS_OPTION, "gcloud --region"},
    {"CLOUDSDK_COMPUTE_ZONE", AS_OPTION, "gcloud --zone"},
    {"CLOUDSDK_CORE_ACCOUNT", AS_OPTION, "gcloud --account"},
    {"CLOUDSDK_CORE_PROJECT", AS_OPTION, "gcloud --project"},
    {"CLOUDSDK_CORE_VERBOSITY", AS_OPTION, "gcloud --verbosity"},
    {"CMAKE_*", STEERS},
    {"CMAKE_BUILD_PARALLEL_LEVEL", HARMLESS},
    {"CO", STEERS | COMMAND},
    {"CODEX_*", STEERS},
    {"COLUMNS", TRANSPARENT},
    {"COMPILER_PATH", STEERS},
    {"COMPOSER_*", STEERS},
    {"COMPOSE_*", STEERS},
    {"COMPOSE_ANSI", HARMLESS},
    {"COMPOSE_PARALLEL_LIMIT", HARMLESS},
    {"COMPOSE_PROGRESS", HARMLESS},
    {"CONDA*", STEERS},
    {"CONTAINERS_*", STEERS},
    {"CONTAINER_CONNECTION", STEERS},
    {"CONTAINER_HOST", STEERS},
    {"CONTAINER_SSHKEY", STEERS},
    {"COPILOT_*", STEERS},
    {"CPATH", STEERS},
    {"CPP", STEERS | COMMAND},
    {"CPPFLAGS", STEERS},
    {"CTANGLE", STEERS | COMMAND},
    {"CTEST_*", STEERS},
    {"CTEST_OUTPUT_ON_FAILURE", HARMLESS},
    {"CURL_*", STEERS},
    {"CURL_HOME", NOTED},
    {"CWEAVE", STEERS | COMMAND},
    {"CXX", STEERS | NOTED | COMMAND},
    {"CXXFLAGS", STEERS},
    {"C_INCLUDE_PATH", STEERS},
    {"DBUS_*", STEERS}, /* unixexec: is an address that is run */
    {"DEBIAN_FRONTEND", TRANSPARENT},
    {"DEBUG", TRANSPARENT | TEXT},
    {"DEBUGINFOD_*", STEERS},
    {"DELTA_*", STEERS},
    {"DENO_*", STEERS},
    {"DEVELOPER_DIR", STEERS}, /* macOS: where git, make and python3 are */
    {"DIGITALOCEAN_*", STEERS},
    {"DIRENV_*", STEERS},
    {"DOCKER_*", STEERS},
    {"DOCKER_BUILDKIT", HARMLESS},
    {"DOCKER_CLI_HINTS", HARMLESS},
    {"DOCKER_HOST", NOTED},
    {"DOTNET_*", STEERS},
    {"DOTNET_CLI_TELEMETRY_OPTOUT", HARMLESS},
    {"DOTNET_CLI_UI_LANGUAGE", HARMLESS},
    {"DOTNET_NOLOGO", HARMLESS},
    {"DOTNET_SKIP_FIRST_TIME_EXPERIENCE", HARMLESS},
    {"DPKG_*", STEERS},
    {"DYLD_*", STEERS | NOTED},
    {"EDITOR", NOTED},
    {"ELIXIR_*", STEERS},
    {"EMACS*", STEERS},
    {"ENV", STEERS | NOTED},
    {"ERL_*", STEERS},
    {"EXECIGNORE", STEERS},
    {"EXIFTOOL_*", STEERS},
    {"EXINIT", STEERS},
    {"FC", STEERS | COMMAND},
    {"FCEDIT", STEERS | NOTED | COMMAND},
    {"FFLAGS", STEERS},
    {"FFREPORT", STEERS},
    {"FIGNORE", STEERS},
    {"FIREBASE_*", STEERS},
    {"FLATPAK_*", STEERS},
    {"FLEX", STEERS},
    {"FLY_*", STEERS},
    {"FORCE_COLOR", TRANSPARENT},
    {"FUNCNEST", STEERS}, /* one call too many gives up the line */
    {"FZF_*", STEERS},
    {"GAWK*", STEERS},
    {"GCC_*", STEERS},
    {"GCONV_PATH", STEERS | NOTED},
    {"GDK_*", STEERS},
    {"GEMINI_*", STEERS},
    {"GEM_*", STEERS},
    {"GET", STEERS | COMMAND},
    {"GETCONF_DIR", STEERS},
    {"GH_*", STEERS},
    {"GH_NO_UPDATE_NOTIFIER", HARMLESS},
    {"GH_PROMPT_DISABLED", HARMLESS},
    {"GH_SPINNER_DISABLED", HARMLESS},
    {"GIO_*", STEERS},
    {"GITHUB_HOST", STEERS},
    {"GITHUB_TOKEN", STEERS},
    {"GITLAB_*", STEERS},
    {"GIT_*", STEERS | NOTED},
    {"GIT_ADVICE", HARMLESS},
    {"GIT_AUTHOR_DATE", HARMLESS},
    {"GIT_AUTHOR_EMAIL", HARMLESS},
    {"GIT_AUTHOR_NAME", HARMLESS},
    {"GIT_COMMITTER_DATE", HARMLESS},
    {"GIT_COMMITTER_EMAIL", HARMLESS},
    {"GIT_COMMITTER_NAME", HARMLESS},
    {"GIT_OPTIONAL_LOCKS", HARMLESS},
    {"GIT_PAGER_IN_USE", HARMLESS},
    {"GIT_TERMINAL_PROMPT", HARMLESS},
    {"GLAB_*", STEERS},
    {"GLIBC_TUNABLES", STEERS | NOTED},
    {"GLOBIGNORE", STEERS},
    {"GNUMAKEFLAGS", STEERS},
    {"GNUPG*", STEERS}, /* its gpg.conf names programs */
    {"GO*", STEERS},
    {"GOAMD64", HARMLESS},
    {"GOARCH", HARMLESS},
    {"GOARM", HARMLESS},
    {"GOARM64", HARMLESS},
    {"GOFLAGS", NOTED},
    {"GOLANGCI_LINT_LOG_LEVEL", HARMLESS},
    {"GOMAXPROCS", HARMLESS},
    {"GOOGLE_*", STEERS},
    {"GOOS", HARMLESS},
    {"GOTRACEBACK", HARMLESS},
    {"GRADLE_*", STEERS},
    {"GREP_*", STEERS},
    {"GREP_OPTIONS", NOTED},
    {"GROFF_*", STEERS},
    {"GST_*", STEERS},
    {"GTK_*", STEERS},
    {"GUILE_*", STEERS},
    {"GZIP", STEERS},
    {"HELM_*", STEERS},
    {"HELM_KUBECONTEXT", AS_OPTION, "helm --kube-context"},
    {"HELM_NAMESPACE", AS_OPTION, "helm --namespace"},
    {"HEROKU_API_*", STEERS},
    {"HEROKU_HOST", STEERS},
    {"HIST*", STEERS}, /* also what is kept out of the history */
    {"HOME", STEERS | NOTED},
    {"HOMEBREW_*", STEERS},
    {"HOMEBREW_COLOR", HARMLESS},
    {"HOMEBREW_NO_ANALYTICS", HARMLESS},
    {"HOMEBREW_NO_AUTO_UPDATE", HARMLESS},
    {"HOMEBREW_NO_COLOR", HARMLESS},
    {"HOMEBREW_NO_EMOJI", HARMLESS},
    {"HOMEBREW_NO_ENV_HINTS", HARMLESS},
    {"HOMEBREW_NO_INSTALL_CLEANUP", HARMLESS},
    {"HOSTALIASES", STEERS},
    {"HTTPS_PROXY", NOTED},
    {"HTTP_PROXY", NOTED},
    {"HUB_*", STEERS},
    {"HUSKY*", STEERS},
    {"IFS", STEERS | NOTED},
    {"INPUTRC", STEERS | NOTED},
    {"INSTALL", STEERS},
    {"IPYTHON*", STEERS},
    {"JAVA", STEERS},
    {"JAVAC", STEERS},
    {"JAVA_HOME", STEERS},
    {"JAVA_OPTS", STEERS},
    {"JAVA_TOOL_OPTIONS", STEERS | NOTED},
    {"JDK_JAVA_OPTIONS", STEERS},
    {"JENV_*", STEERS},
    {"JEST_*", STEERS},
    {"JEST_WORKER_ID", HARMLESS},
    {"JULIA_*", STEERS},
    {"JUPYTER*", STEERS},
    {"KIND_EXPERIMENTAL_*", STEERS},
    {"KRB5*", STEERS},
    {"KUBE*", STEERS},
    {"KUBECONFIG", NOTED},
    {"LANG", TRANSPARENT | TEXT},
    {"LANGUAGE", TRANSPARENT | TEXT},
    {"LC_*", TRANSPARENT | TEXT},
    {"LD", STEERS | COMMAND},
    {"LDFLAGS", STEERS},
    {"LDLIBS", STEERS},
    {"LD_*", STEERS | NOTED},
    {"LESS*", STEERS},
    {"LESSCLOSE", NOTED | COMMAND},
    {"LESSOPEN", NOTED | COMMAND},
    {"LEX", STEERS | COMMAND},
    {"LFLAGS", STEERS},
    {"LIBMYSQL*", STEERS}, /* libraries that it loads */
    {"LIBRARY_PATH", STEERS},
    {"LINES", TRANSPARENT},
    {"LINT", STEERS | COMMAND},
    {"LOCALDOMAIN", STEERS},
    {"LOCPATH", STEERS},
    {"LOGNAME", STEERS},
    {"LOG_LEVEL", TRANSPARENT | TEXT},
    {"LUA_*", STEERS},
    {"M2C", STEERS | COMMAND},
    {"MAGIC", STEERS},
    {"MAILCAPS", STEERS | NOTED},
    {"MAKE*", STEERS},
    {"MAKEFLAGS", NOTED},
    {"MALLOC_*", STEERS},
    {"MAMBA*", STEERS},
    {"MANOPT", STEERS | NOTED},
    {"MANPAGER", NOTED},
    {"MANPATH", STEERS},
    {"MANROFF*", STEERS}, /* MANROFFOPT=-U lets a page run commands */
    {"MANWIDTH", HARMLESS},
    {"MARIADB_*", STEERS},
    {"MAVEN_*", STEERS},
    {"MFLAGS", STEERS},
    {"MINIKUBE_*", STEERS},
    {"MISE_*", STEERS},
    {"MIX_*", STEERS},
    {"MIX_ENV", HARMLESS},
    {"MORE", STEERS},
    {"MVN_*", STEERS},
    {"MYSQL_*", STEERS},
    {"NERDCTL_*", STEERS},
    {"NETLIFY_*", STEERS},
    {"NETRC", STEERS},
    {"NINJA*", STEERS},
    {"NIX_*", STEERS},
    {"NLSPATH", STEERS},
    {"NM", STEERS},
    {"NODE", STEERS},
    {"NODENV_*", STEERS},
    {"NODE_*", STEERS},
    {"NODE_DISABLE_COLORS", HARMLESS},
    {"NODE_ENV", HARMLESS | TRANSPARENT},
    {"NODE_NO_READLINE", HARMLESS},
    {"NODE_NO_WARNINGS", HARMLESS},
    {"NODE_OPTIONS", NOTED},
    {"NODE_PATH", NOTED},
    {"NODE_PENDING_DEPRECATION", HARMLESS},
    {"NO_COLOR", TRANSPARENT},
    {"NPM", STEERS},
    {"NPM_*", STEERS},
    {"NPM_CONFIG_*", NOTED},
    {"NPM_CONFIG_COLOR", HARMLESS},
    {"NPM_CONFIG_FUND", HARMLESS},
    {"NPM_CONFIG_LOGLEVEL", HARMLESS},
    {"NPM_CONFIG_PROGRESS", HARMLESS},
    {"NPM_CONFIG_UPDATE_NOTIFIER", HARMLESS},
    {"NULLCMD", STEERS}, /* zsh runs it for a redirection without a command */
    {"NVIM_*", STEERS},
    {"NVM_*", STEERS},
    {"OBJCOPY", STEERS},
    {"OBJDUMP", STEERS},
    {"OLDPWD", STEERS},
    {"OPENAI_*", STEERS},
    {"OPENSSL_*", STEERS},
    {"PACKER_*", STEERS},
    {"PACMAN*", STEERS},
    {"PAGER", NOTED},
    {"PATH", STEERS | NOTED},
    {"PC", STEERS | COMMAND},
    {"PERL*", STEERS},
    {"PERL5LIB", NOTED},
    {"PERL5OPT", NOTED},
    {"PERLLIB", NOTED},
    {"PG*", STEERS},
    {"PHP*", STEERS},
    {"PIPEWIRE_*", STEERS},
    {"PIP_*", STEERS | NOTED},
    {"PIP_DISABLE_PIP_VERSION_CHECK", HARMLESS},
    {"PIP_NO_COLOR", HARMLESS},
    {"PIP_NO_INPUT", HARMLESS},
    {"PIP_PROGRESS_BAR", HARMLESS},
    {"PIP_QUIET", HARMLESS},
    {"PKG_CONFIG*", STEERS},
    {"PLENV_*", STEERS},
    {"PNPM_*", STEERS},
    {"POETRY_*", STEERS},
    {"PORTSRC", STEERS},
    {"POSIXLY_CORRECT", STEERS},
    {"PRE_COMMIT_*", STEERS},
    {"PRISMA_*", STEERS},
    {"PROMPT_COMMAND", STEERS | NOTED | COMMAND},
    {"PS1", STEERS | COMMAND},
    {"PS2", STEERS | COMMAND},
    {"PS4", STEERS | NOTED | COMMAND},
    {"PSQL*", STEERS},
    {"PULSE_*", STEERS},
    {"PWD", STEERS},
    {"PYENV_*",
     STEERS}, /* which program a name means, and scripts of its own; so are its relatives */
    {"PYTEST_*", STEERS},
    {"PYTEST_DISABLE_PLUGIN_AUTOLOAD", HARMLESS},
    {"PYTHON*", STEERS},
    {"PYTHONASYNCIODEBUG", HARMLESS},
    {"PYTHONDEVMODE", HARMLESS},
    {"PYTHONDONTWRITEBYTECODE", HARMLESS | TRANSPARENT},
    {"PYTHONFAULTHANDLER", HARMLESS},
    {"PYTHONHASHSEED", HARMLESS},
    {"PYTHONHOME", NOTED},
    {"PYTHONINSPECT", NOTED},
    {"PYTHONIOENCODING", HARMLESS | TRANSPARENT},
    {"PYTHONNOUSERSITE", HARMLESS},
    {"PYTHONPATH", NOTED},
    {"PYTHONPROFILEIMPORTTIME", HARMLESS},
    {"PYTHONSAFEPATH", HARMLESS},
    {"PYTHONSTARTUP", NOTED},
    {"PYTHONTRACEMALLOC", HARMLESS},
    {"PYTHONUNBUFFERED", HARMLESS | TRANSPARENT},
    {"PYTHONUTF8", HARMLESS | TRANSPARENT},
    {"QT_*", STEERS},
    {"QWEN_*", STEERS},
    {"RACK_ENV", TRANSPARENT},
    {"RAILS_ENV", TRANSPARENT},
    {"RAILWAY_*", STEERS},
    {"RANLIB", STEERS},
    {"RBENV_*", STEERS},
    {"RCLONE_*", STEERS},
    {"READNULLCMD", STEERS},
    {"REDISCLI_*", STEERS},
    {"RES_OPTIONS", STEERS},
    {"RIPGREP_CONFIG_PATH", STEERS | NOTED},
    {"RM", STEERS | COMMAND},
    {"RPM_*", STEERS}, /* macros run commands */
    {"RSYNC_*", STEERS},
    {"RUBY*", STEERS},
    {"RUBYLIB", NOTED},
    {"RUBYOPT", NOTED},
    {"RUSTC", NOTED | COMMAND},
    {"RUSTC*", STEERS},
    {"RUSTC_WRAPPER", NOTED},
    {"RUSTDOC*", STEERS},
    {"RUSTFLAGS", STEERS},
    {"RUSTUP_*", STEERS},
    {"RUST_BACKTRACE", TRANSPARENT},
    {"RUST_LOG", TRANSPARENT | TEXT},
    {"R_*", STEERS},
    {"S3CMD*", STEERS},
    {"SBT_*", STEERS},
    {"SCREENRC", STEERS},
    {"SDKROOT", STEERS},
    {"SED*", STEERS},
    {"SHELL", STEERS | NOTED | COMMAND},
    {"SHELLCHECK_*", STEERS},
    {"SHELLOPTS", STEERS | NOTED},
    {"SOURCE_DATE_EPOCH", TRANSPARENT},
    {"SOX_*", STEERS},
    {"SQLITE_*", STEERS},
    {"SSH_*", STEERS},
    {"SSH_ASKPASS", NOTED},
    {"SSLKEYLOGFILE", STEERS},
    {"SSL_*", STEERS},
    {"STRIP", STEERS},
    {"SUDO_EDITOR", NOTED},
    {"SUPABASE_INTERNAL_*", STEERS},
    {"SYSTEMD_*", STEERS},
    {"TANGLE", STEERS | COMMAND},
    {"TAPE", STEERS},
    {"TAR_*", STEERS},
    {"TAR_OPTIONS", NOTED},
    {"TCL*", STEERS},
    {"TERM", TRANSPARENT},
    {"TERMCAP", STEERS},
    {"TERMINFO", NOTED},
    {"TERMINFO*", STEERS},
    {"TERRAFORM_CONFIG", STEERS},
    {"TERRAGRUNT_*", STEERS},
    {"TEX", STEERS | COMMAND},
    {"TEXI2DVI", STEERS | COMMAND},
    {"TF_*", STEERS},
    {"TF_INPUT", HARMLESS},
    {"TF_IN_AUTOMATION", HARMLESS},
    {"TMPDIR", STEERS},
    {"TMUX*", STEERS},
    {"TOOLCHAINS", STEERS},
    {"TROFF*", STEERS},
    {"TURBO_API", STEERS},
    {"TZ", TRANSPARENT | TEXT},
    {"UNZIP*", STEERS},
    {"USER", STEERS},
    {"UV_*", STEERS | NOTED},
    {"UV_NO_PROGRESS", HARMLESS},
    {"VAGRANT_*", STEERS},
    {"VERBOSE", TRANSPARENT},
    {"VERCEL_*", STEERS},
    {"VIM*", STEERS},
    {"VIMINIT", STEERS},
    {"VIRTUAL_ENV", STEERS},
    {"VISUAL", STEERS | NOTED | COMMAND},
    {"VITEST_*", STEERS},
    {"VITEST_MAX_THREADS", HARMLESS},
    {"WARDER_*", STEERS},
    {"WEAVE", STEERS | COMMAND},
    {"WGETRC", STEERS | NOTED},
    {"WINDRES", STEERS},
    {"WIRESHARK_*", STEERS},
    {"WRANGLER_*", STEERS},
    {"XDG_*", STEERS},
    {"XDG_CONFIG_HOME", NOTED},
    {"XZ_*", STEERS},
    {"YACC", STEERS | COMMAND},
    {"YARN_*", STEERS},
    {"YFLAGS", STEERS},
    {"ZDOTDIR", STEERS | NOTED},
    {"ZIPINFO*", STEERS},
    {"ZIPOPT", STEERS},
    {"ZYPP_*", STEERS},
    {"_JAVA_OPTIONS", STEERS | NOTED},
    {"__PYVENV_LAUNCHER__", STEERS}, /* macOS: where Python takes itself to be */
    {"http_proxy", NOTED},
    {"https_proxy", NOTED},
    {"npm_*", STEERS},
    {"npm_config_*", NOTED},
    {"npm_config_color", HARMLESS},
    {"npm_config_fund", HARMLESS},
    {"npm_config_loglevel", HARMLESS},
    {"npm_config_progress", HARMLESS},
    {"npm_config_update_notifier", HARMLESS},
};

static bool is_before(const char *row, char first, char second)
{
    return row[0] != first ? row[0] < first : row[1] < second;
}

/* The first row that begins with these two bytes or later ones. */
static size_t first_with(char first, char second)
{
    size_t low = 0, high = COUNT(variables);

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (is_before(variables[middle].name, first, second))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool variable_fits(const char *pattern, struct str name)
{
    return variable_matches(str_from(pattern), name);
}

bool variable_matches(struct str p, struct str name)
{
    if (p.s[0] == '*')
        return str_ends(name, str_from_byte(p, 1));
    if (p.s[p.len - 1] == '*')
        return str_starts(name, str_slice(p, 0, p.len - 1));
    return str_eq(name, p);
}

/* By the rows of ends, which are the first ones. Most of them differ from the name in the last
 * byte. */
static unsigned uses_by_end(struct str name)
{
    const char last = name.s[name.len - 1];
    unsigned uses = 0;

    for (const struct variable *v = variables; v->end.len; v++)
        if (v->end.s[v->end.len - 1] == last && str_ends(name, v->end))
            uses |= v->uses;
    return uses;
}

/* By the rows that begin with these two bytes: those of the name, or its first one and a star. */
static unsigned uses_by_beginning(struct str name, char second)
{
    unsigned uses = 0;

    for (size_t i = first_with(name.s[0], second);
         i < COUNT(variables) && variables[i].name[0] == name.s[0] &&
         variables[i].name[1] == second;
         i++)
        if (variable_fits(variables[i].name, name))
            uses |= variables[i].uses;
    return uses;
}

unsigned variable_uses(struct str name)
{
    return name.len ? uses_by_end(name) | uses_by_beginning(name, '*') |
                          uses_by_beginning(name, name.len > 1 ? name.s[1] : '\0')
                    : 0;
}

const char *variable_option(struct str name)
{
    for (size_t i = 0; i < COUNT(variables); i++)
        if (variables[i].option && str_is(name, variables[i].name))
            return variables[i].option;
    return NULL;
}

static bool is_family(const char *pattern)
{
    return pattern[0] != '*' && pattern[strlen(pattern) - 1] == '*';
}

bool variable_surely_steers(struct str name)
{
    for (size_t i = 0; i < COUNT(variables); i++) {
        const struct variable *v = &variables[i];
        if (variable_fits(v->name, name) && (v->uses & (STEERS | NOTED)) &&
            !(is_family(v->name) && v->uses == STEERS))
            return true;
    }
    return false;
}

const char *variable_at(size_t index)
{
    return index < COUNT(variables) ? variables[index].name : NULL;
}
