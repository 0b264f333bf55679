/* path_classes.c - the tables of path classes: protected from writing, secret, and files that only
 * look secret. */
#include "facts/path_classes.h"

/* Writing here changes what will run, permissions, or what Warder itself relies on. Compared
 * without regard to case. */
static const struct path_class protected[] = {
    {PATH_CLASS_ANYWHERE, ".git", "git's own files"},
    {PATH_CLASS_ANYWHERE, ".gitattributes", "git filters, which run programs"},
    {PATH_CLASS_ANYWHERE, ".gitmodules", "git submodules"},
    {PATH_CLASS_ANYWHERE, ".lfsconfig", "git-lfs server settings"},
    {PATH_CLASS_HOME, ".gitconfig", "git configuration"},
    {PATH_CLASS_HOME, ".config/git", "git configuration"},
    {PATH_CLASS_ANYWHERE, ".warder", "Warder's own settings", true},
    {PATH_CLASS_HOME, ".config/warder", "Warder's own settings", true},
    {PATH_CLASS_HOME, ".local/state/warder", "Warder's own state", true},
    {PATH_CLASS_HOME, ".cache/warder", "Warder's own state", true},
    {PATH_CLASS_ROOT, "etc/warder", "Warder's own settings", true},
    {PATH_CLASS_ROOT, "var/lib/warder", "Warder's own state", true},
#define ANYWHERE(path)               {PATH_CLASS_ANYWHERE, path, "agent settings", true},
#define HOME(path)                   {PATH_CLASS_HOME, path, "agent settings", true},
#define ROOT(path)                   {PATH_CLASS_ROOT, path, "agent settings", true},
#define SETTINGS(rows)               rows
#define AGENT(name, title, sections) sections
#define OTHER_AGENT(title, sections) sections
#include "call/agents.def"
    {PATH_CLASS_HOME, ".bashrc", "a shell start-up file"},
    {PATH_CLASS_HOME, ".bash_profile", "a shell start-up file"},
    {PATH_CLASS_HOME, ".bash_login", "a shell start-up file"},
    {PATH_CLASS_HOME, ".bash_logout", "a shell start-up file"},
    {PATH_CLASS_HOME, ".bash_aliases", "a shell start-up file"},
    {PATH_CLASS_HOME, ".profile", "a shell start-up file"},
    {PATH_CLASS_HOME, ".zshrc", "a shell start-up file"},
    {PATH_CLASS_HOME, ".zshenv", "a shell start-up file"},
    {PATH_CLASS_HOME, ".zprofile", "a shell start-up file"},
    {PATH_CLASS_HOME, ".zlogin", "a shell start-up file"},
    {PATH_CLASS_HOME, ".zlogout", "a shell start-up file"},
    {PATH_CLASS_HOME, ".kshrc", "a shell start-up file"},
    {PATH_CLASS_HOME, ".inputrc", "a shell start-up file"},
    {PATH_CLASS_HOME, ".config/fish", "a shell start-up file"},
    {PATH_CLASS_ROOT, "etc/profile", "a shell start-up file"},
    {PATH_CLASS_ROOT, "etc/profile.d", "a shell start-up file"},
    {PATH_CLASS_ROOT, "etc/bash.bashrc", "a shell start-up file"},
    {PATH_CLASS_HOME, ".ssh", "SSH keys and settings"},
    {PATH_CLASS_HOME, ".gnupg", "GnuPG keys"},
    {PATH_CLASS_HOME, ".aws", "cloud credentials"},
    {PATH_CLASS_HOME, ".azure", "cloud credentials"},
    {PATH_CLASS_HOME, ".config/gcloud", "cloud credentials"},
    {PATH_CLASS_HOME, ".kube", "cluster credentials"},
    {PATH_CLASS_HOME, ".docker", "container credentials"},
    {PATH_CLASS_HOME, ".netrc", "credentials"},
    {PATH_CLASS_HOME, ".git-credentials", "credentials"},
    {PATH_CLASS_HOME, ".pgpass", "credentials"},
    {PATH_CLASS_HOME, ".config/gh", "credentials"},
    {PATH_CLASS_HOME, ".pypirc", "credentials"},
    {PATH_CLASS_HOME, "bin", "a directory for programs"},
    {PATH_CLASS_HOME, ".local/bin", "a directory for programs"},
    {PATH_CLASS_HOME, ".cargo/bin", "a directory for programs"},
    {PATH_CLASS_HOME, "go/bin", "a directory for programs"},
    {PATH_CLASS_ROOT, "bin", "a directory for programs"},
    {PATH_CLASS_ROOT, "sbin", "a directory for programs"},
    {PATH_CLASS_ROOT, "usr/bin", "a directory for programs"},
    {PATH_CLASS_ROOT, "usr/sbin", "a directory for programs"},
    {PATH_CLASS_ROOT, "usr/local/bin", "a directory for programs"},
    {PATH_CLASS_ROOT, "usr/local/sbin", "a directory for programs"},
    {PATH_CLASS_ROOT, "etc/sudoers", "sudo configuration"},
    {PATH_CLASS_ROOT, "etc/sudoers.d", "sudo configuration"},
    {PATH_CLASS_ROOT, "etc/passwd", "the user database"},
    {PATH_CLASS_ROOT, "etc/shadow", "the user database"},
    {PATH_CLASS_ROOT, "etc/ld.so.preload", "libraries loaded into every program"},
    {PATH_CLASS_ROOT, "etc/cron*", "scheduled commands"},
    {PATH_CLASS_ROOT, "var/spool/cron", "scheduled commands"},
    {PATH_CLASS_ROOT, "etc/systemd", "services"},
    {PATH_CLASS_HOME, ".config/systemd", "services"},
    {PATH_CLASS_HOME, ".config/autostart", "programs started at login"},
    {PATH_CLASS_ANYWHERE, ".husky", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".envrc", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "mise.toml", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".mise.toml", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "mise.*.toml", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".mise.*.toml", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".tool-versions", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".npmrc", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".yarnrc*", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".yarn/plugins", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".yarn/releases", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".poetry", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "bunfig.toml", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "rust-toolchain", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "rust-toolchain.toml", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".mvn", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".sbtopts", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".jvmopts", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "tools/bazel", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".pnpmfile.*", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".cargo/config", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".cargo/config.toml", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".vscode/mcp.json", "agent settings", true},
    {PATH_CLASS_ANYWHERE, ".vscode/tasks.json", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".vscode/settings.json", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".vscode/launch.json", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "*.code-workspace", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".devcontainer", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".devcontainer.json", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".githooks", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".pre-commit-config.yaml", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "lefthook.y*ml", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "lefthook-local.y*ml", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".lefthook*.y*ml", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".zed", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".exrc", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".nvimrc", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".nvim.lua", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".idea", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "AGENTS.md", "instructions for agents", false, true},
    {PATH_CLASS_ANYWHERE, "AGENTS.override.md", "instructions for agents", false, true},
    {PATH_CLASS_ANYWHERE, "CLAUDE.md", "instructions for agents", false, true},
    {PATH_CLASS_ANYWHERE, "CLAUDE.local.md", "instructions for agents", false, true},
    {PATH_CLASS_ANYWHERE, "GEMINI.md", "instructions for agents", false, true},
    {PATH_CLASS_ANYWHERE, "QWEN.md", "instructions for agents", false, true},
    {PATH_CLASS_ANYWHERE, "CRUSH.md", "instructions for agents", false, true},
    {PATH_CLASS_ANYWHERE, ".cursorrules", "instructions for agents", false, true},
    {PATH_CLASS_ANYWHERE, ".windsurfrules", "instructions for agents", false, true},
    {PATH_CLASS_ANYWHERE, ".goosehints", "instructions for agents", false, true},
    {PATH_CLASS_ANYWHERE, ".github/copilot-instructions.md", "instructions for agents", false,
     true},
    {PATH_CLASS_ANYWHERE, ".github/instructions", "instructions for agents", false, true},
    {PATH_CLASS_ANYWHERE, ".github/workflows", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, ".github/actions", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, ".gitlab-ci.yml", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, ".gitlab/ci", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, ".circleci", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, ".travis.yml", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, ".drone.yml", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, ".woodpecker", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, ".woodpecker.y*ml", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, ".buildkite", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, "azure-pipelines.y*ml", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, "bitbucket-pipelines.yml", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, "appveyor.yml", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, ".appveyor.yml", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, ".cirrus.yml", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, "Jenkinsfile", "what a build server runs", false, true},
    {PATH_CLASS_ANYWHERE, ".bazelrc", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".bazeliskrc", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".bazelversion", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "gradle/wrapper", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "sitecustomize.py", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "usercustomize.py", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "*.pth", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".gdbinit", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".lldbinit", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".pdbrc", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".ExifTool_config", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".proverc", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, ".dir-locals.el", "configuration that runs code"},
    {PATH_CLASS_ANYWHERE, "node_modules/.bin", "a directory for programs"},
    {PATH_CLASS_ANYWHERE, ".venv/bin", "a directory for programs"},
    {PATH_CLASS_ANYWHERE, "venv/bin", "a directory for programs"},
    {PATH_CLASS_ANYWHERE, ".venv/Scripts", "a directory for programs"},
    {PATH_CLASS_ANYWHERE, "venv/Scripts", "a directory for programs"},
    {PATH_CLASS_ANYWHERE, "vendor/bin", "a directory for programs"},
    {PATH_CLASS_HOME, ".vimrc", "configuration that runs code"},
    {PATH_CLASS_HOME, ".config/nvim", "configuration that runs code"},
    {PATH_CLASS_HOME, ".emacs*", "configuration that runs code"},
    {PATH_CLASS_HOME, ".tmux.conf", "configuration that runs code"},
    {PATH_CLASS_HOME, ".pythonrc*", "configuration that runs code"},
    {PATH_CLASS_HOME, ".config/pip", "configuration that runs code"},
};

/* Reading here can give away keys, tokens or another person's files. */
static const struct path_class secret[] = {
    {PATH_CLASS_HOME, ".ssh", "SSH keys"},
    {PATH_CLASS_HOME, ".gnupg", "GnuPG keys"},
    {PATH_CLASS_HOME, ".aws", "cloud credentials"},
    {PATH_CLASS_HOME, ".azure", "cloud credentials"},
    {PATH_CLASS_HOME, ".config/gcloud", "cloud credentials"},
    {PATH_CLASS_HOME, ".oci", "cloud credentials"},
    {PATH_CLASS_HOME, ".kube", "cluster credentials"},
    {PATH_CLASS_HOME, ".docker/config.json", "container credentials"},
    {PATH_CLASS_HOME, ".netrc", "credentials"},
    {PATH_CLASS_HOME, "_netrc", "credentials"},
    {PATH_CLASS_HOME, ".git-credentials", "credentials"},
    {PATH_CLASS_HOME, ".config/git/credentials", "credentials"},
    {PATH_CLASS_HOME, ".pgpass", "credentials"},
    {PATH_CLASS_HOME, ".my.cnf", "credentials"},
    {PATH_CLASS_HOME, ".config/gh", "credentials"},
    {PATH_CLASS_HOME, ".config/hub", "credentials"},
    {PATH_CLASS_HOME, ".config/glab-cli", "credentials"},
    {PATH_CLASS_HOME, ".config/containers/auth.json", "container credentials"},
    {PATH_CLASS_HOME, ".config/pypoetry/auth.toml", "credentials"},
    {PATH_CLASS_HOME, ".config/rclone", "cloud credentials"},
    {PATH_CLASS_HOME, ".config/doctl", "cloud credentials"},
    {PATH_CLASS_HOME, ".config/hcloud", "cloud credentials"},
    {PATH_CLASS_HOME, ".config/op", "a password store"},
    {PATH_CLASS_HOME, ".config/sops", "keys"},
    {PATH_CLASS_HOME, ".config/age", "keys"},
    {PATH_CLASS_HOME, ".config/composer/auth.json", "credentials"},
    {PATH_CLASS_HOME, ".composer/auth.json", "credentials"},
    {PATH_CLASS_HOME, ".m2/settings.xml", "credentials"},
    {PATH_CLASS_HOME, ".gradle/gradle.properties", "credentials"},
    {PATH_CLASS_HOME, ".fly", "cloud credentials"},
    {PATH_CLASS_HOME, ".s3cfg", "cloud credentials"},
    {PATH_CLASS_HOME, ".boto", "cloud credentials"},
    {PATH_CLASS_HOME, ".databrickscfg", "cloud credentials"},
    {PATH_CLASS_HOME, ".config/claude", "credentials"},
    {PATH_CLASS_HOME, ".claude/.credentials.json", "credentials"},
    {PATH_CLASS_HOME, ".claude.json", "credentials"},
    {PATH_CLASS_HOME, ".codex/auth.json", "credentials"},
    {PATH_CLASS_HOME, ".gemini/oauth_creds.json", "credentials"},
    {PATH_CLASS_HOME, ".npmrc", "credentials"},
    {PATH_CLASS_HOME, ".yarnrc.yml", "credentials"},
    {PATH_CLASS_HOME, ".pypirc", "credentials"},
    {PATH_CLASS_HOME, ".cargo/credentials*", "credentials"},
    {PATH_CLASS_HOME, ".gem/credentials", "credentials"},
    {PATH_CLASS_HOME, ".terraform.d/credentials*", "credentials"},
    {PATH_CLASS_HOME, ".vault-token", "credentials"},
    {PATH_CLASS_HOME, ".password-store", "a password store"},
    {PATH_CLASS_HOME, ".local/share/keyrings", "a password store"},
    {PATH_CLASS_HOME, "Library/Messages", "private messages"},
    {PATH_CLASS_HOME, "Library/Mail", "private mail"},
    {PATH_CLASS_HOME, "Library/Keychains", "a password store"},
    {PATH_CLASS_HOME, ".mozilla", "a browser's profile"},
    {PATH_CLASS_HOME, ".config/google-chrome", "a browser's profile"},
    {PATH_CLASS_HOME, ".config/chromium", "a browser's profile"},
    {PATH_CLASS_HOME, ".config/pip", "credentials"},
    {PATH_CLASS_HOME, ".config/heroku", "cloud credentials"},
    {PATH_CLASS_HOME, ".config/configstore", "credentials"},
    {PATH_CLASS_HOME, ".config/netlify", "cloud credentials"},
    {PATH_CLASS_HOME, ".config/filezilla", "credentials"},
    {PATH_CLASS_HOME, ".config/BraveSoftware", "a browser's profile"},
    {PATH_CLASS_HOME, ".config/microsoft-edge", "a browser's profile"},
    {PATH_CLASS_HOME, ".config/Code/User/globalStorage", "credentials"},
    {PATH_CLASS_HOME, ".config/github-copilot", "credentials"},
    {PATH_CLASS_HOME, ".copilot", "credentials"},
    {PATH_CLASS_HOME, ".m2/settings*.xml", "credentials"},
    {PATH_CLASS_HOME, ".nuget/NuGet/NuGet.Config", "credentials"},
    {PATH_CLASS_HOME, ".bundle/config", "credentials"},
    {PATH_CLASS_HOME, ".snowflake", "credentials"},
    {PATH_CLASS_HOME, ".config/snowflake", "credentials"},
    {PATH_CLASS_HOME, ".terraformrc", "credentials"},
    {PATH_CLASS_HOME, ".wgetrc", "credentials"},
    {PATH_CLASS_HOME, ".curlrc", "credentials"},
    {PATH_CLASS_HOME, ".mutt*", "credentials"},
    {PATH_CLASS_HOME, ".msmtprc", "credentials"},
    {PATH_CLASS_HOME, ".thunderbird", "private mail"},
    {PATH_CLASS_HOME, ".kaggle", "credentials"},
    {PATH_CLASS_HOME, ".huggingface", "credentials"},
    {PATH_CLASS_HOME, ".cache/huggingface/token", "credentials"},
    {PATH_CLASS_HOME, ".electrum", "a wallet"},
    {PATH_CLASS_HOME, ".bitcoin", "a wallet"},
    {PATH_CLASS_HOME, ".ethereum", "a wallet"},
    {PATH_CLASS_HOME, ".config/solana", "a wallet"},
    {PATH_CLASS_HOME, "Library/Cookies", "a browser's profile"},
    {PATH_CLASS_HOME, "Library/Safari", "a browser's profile"},
    {PATH_CLASS_HOME, "Library/Application Support/Google/Chrome", "a browser's profile"},
    {PATH_CLASS_HOME, "Library/Application Support/Firefox", "a browser's profile"},
    {PATH_CLASS_HOME, ".lesshst", "a history of commands"},
    {PATH_CLASS_HOME, ".viminfo", "a history of commands"},
    {PATH_CLASS_HOME, ".*_history", "a history of commands"},
    {PATH_CLASS_HOME, ".bash_history", "a history of commands"},
    {PATH_CLASS_HOME, ".zsh_history", "a history of commands"},
    {PATH_CLASS_HOME, ".local/share/fish/fish_history", "a history of commands"},
    {PATH_CLASS_HOME, ".config/warder", "Warder's own settings", true},
    {PATH_CLASS_HOME, ".local/state/warder", "Warder's own state", true},
    {PATH_CLASS_HOME, "Library/Accounts", "credentials"},
    {PATH_CLASS_HOME, "Library/Application Support/BraveSoftware", "a browser's profile"},
    {PATH_CLASS_HOME, "Library/Application Support/Microsoft Edge", "a browser's profile"},
    {PATH_CLASS_HOME, "Library/Application Support/Chromium", "a browser's profile"},
    {PATH_CLASS_HOME, "Library/Application Support/Arc", "a browser's profile"},
    {PATH_CLASS_HOME, "Library/Application Support/AddressBook", "private contacts"},
    {PATH_CLASS_HOME, "Library/Calendars", "a private calendar"},
    {PATH_CLASS_HOME, "Library/Application Support/com.apple.TCC", "privacy settings"},
    {PATH_CLASS_HOME, "Library/Containers", "private data of programs"},
    {PATH_CLASS_HOME, "Library/Group Containers", "private data of programs"},
    {PATH_CLASS_HOME, "snap/firefox", "a browser's profile"},
    {PATH_CLASS_HOME, "snap/chromium", "a browser's profile"},
    {PATH_CLASS_HOME, ".var/app", "private data of programs"},
    {PATH_CLASS_HOME, ".config/vivaldi", "a browser's profile"},
    {PATH_CLASS_HOME, ".config/opera", "a browser's profile"},
    {PATH_CLASS_HOME, ".config/Slack", "private messages"},
    {PATH_CLASS_HOME, ".config/discord", "private messages"},
    {PATH_CLASS_HOME, ".config/Signal", "private messages"},
    {PATH_CLASS_HOME, ".local/share/TelegramDesktop", "private messages"},
    {PATH_CLASS_HOME, ".config/Bitwarden", "a password store"},
    {PATH_CLASS_HOME, ".config/1Password", "a password store"},
    {PATH_CLASS_HOME, ".config/keepassxc", "a password store"},
    {PATH_CLASS_HOME, ".local/share/kwalletd", "a password store"},
    {PATH_CLASS_HOME, ".pki", "keys"},
    {PATH_CLASS_HOME, ".Xauthority", "access to the screen"},
    {PATH_CLASS_HOME, ".ICEauthority", "access to the screen"},
    {PATH_CLASS_HOME, ".vnc", "credentials"},
    {PATH_CLASS_HOME, ".subversion/auth", "credentials"},
    {PATH_CLASS_HOME, ".minikube", "cluster credentials"},
    {PATH_CLASS_HOME, ".config/helm/registry", "container credentials"},
    {PATH_CLASS_HOME, ".pulumi/credentials.json", "cloud credentials"},
    {PATH_CLASS_HOME, ".config/ngrok", "credentials"},
    {PATH_CLASS_HOME, ".ngrok2", "credentials"},
    {PATH_CLASS_HOME, ".config/stripe", "credentials"},
    {PATH_CLASS_HOME, ".wrangler", "cloud credentials"},
    {PATH_CLASS_HOME, ".local/share/com.vercel.cli", "cloud credentials"},
    {PATH_CLASS_HOME, ".histfile", "a history of commands"},
    {PATH_CLASS_HOME, ".history", "a history of commands"},
    {PATH_CLASS_HOME, ".config/fish/fish_history", "a history of commands"},
    {PATH_CLASS_HOME, ".local/share/nvim/shada", "a history of commands"},
    {PATH_CLASS_ANYWHERE, ".env", "an environment file"},
    {PATH_CLASS_ANYWHERE, ".env.*", "an environment file"},
    {PATH_CLASS_ANYWHERE, "*.pem", "a key file"},
    {PATH_CLASS_ANYWHERE, "*.key", "a key file"},
    {PATH_CLASS_ANYWHERE, "*.p12", "a key file"},
    {PATH_CLASS_ANYWHERE, "*.pfx", "a key file"},
    {PATH_CLASS_ANYWHERE, "*.keystore", "a key file"},
    {PATH_CLASS_ANYWHERE, "*.jks", "a key file"},
    {PATH_CLASS_ANYWHERE, "id_rsa*", "an SSH key"},
    {PATH_CLASS_ANYWHERE, "id_ed25519*", "an SSH key"},
    {PATH_CLASS_ANYWHERE, "id_ecdsa*", "an SSH key"},
    {PATH_CLASS_ANYWHERE, "id_dsa*", "an SSH key"},
    {PATH_CLASS_ANYWHERE, ".ssh", "SSH keys"},
    {PATH_CLASS_ANYWHERE, ".aws", "cloud credentials"},
    {PATH_CLASS_ANYWHERE, ".gnupg", "GnuPG keys"},
    {PATH_CLASS_ANYWHERE, "credentials", "credentials"},
    {PATH_CLASS_ANYWHERE, "credentials.json", "credentials"},
    {PATH_CLASS_ANYWHERE, "secret.txt", "secrets"},
    {PATH_CLASS_ANYWHERE, "secrets.txt", "secrets"},
    {PATH_CLASS_ANYWHERE, "secret.y*ml", "secrets"},
    {PATH_CLASS_ANYWHERE, "secrets.y*ml", "secrets"},
    {PATH_CLASS_ANYWHERE, "secret.json", "secrets"},
    {PATH_CLASS_ANYWHERE, "secrets.json", "secrets"},
    {PATH_CLASS_ANYWHERE, "secrets.toml", "secrets"},
    {PATH_CLASS_ANYWHERE, "secrets.env", "secrets"},
    {PATH_CLASS_ANYWHERE, "passwords.txt", "secrets"},
    {PATH_CLASS_ANYWHERE, ".htpasswd", "credentials"},
    {PATH_CLASS_ANYWHERE, ".pgpass", "credentials"},
    {PATH_CLASS_ANYWHERE, ".netrc", "credentials"},
    {PATH_CLASS_ANYWHERE, "*.kdbx", "a password store"},
    {PATH_CLASS_ANYWHERE, "*.ppk", "a key file"},
    {PATH_CLASS_ANYWHERE, "*.p8", "a key file"},
    {PATH_CLASS_ANYWHERE, "kubeconfig", "cluster credentials"},
    {PATH_CLASS_ANYWHERE, ".pypirc", "credentials"},
    {PATH_CLASS_ANYWHERE, ".dockercfg", "container credentials"},
    {PATH_CLASS_ANYWHERE, ".vault-token", "credentials"},
    {PATH_CLASS_ANYWHERE, "service-account*.json", "cloud credentials"},
    {PATH_CLASS_ANYWHERE, ".git-credentials", "credentials"},
    {PATH_CLASS_ANYWHERE, "*.tfstate", "infrastructure state, which holds secrets"},
    {PATH_CLASS_ANYWHERE, "*.tfstate.backup", "infrastructure state, which holds secrets"},
    {PATH_CLASS_ANYWHERE, "*.keychain-db", "a password store"},
    {PATH_CLASS_ANYWHERE, "*.kdb", "a password store"},
    {PATH_CLASS_ANYWHERE, ".secrets", "secrets"},
    {PATH_CLASS_ROOT, "tmp/krb5cc*", "a Kerberos ticket"},
    {PATH_CLASS_ROOT, "proc/*/task/*/mem", "the memory of a process"},
    {PATH_CLASS_ROOT, "proc/*/task/*/root", "the file system of a process"},
    {PATH_CLASS_ROOT, "proc/*/task/*/cwd", "the file system of a process"},
    {PATH_CLASS_ROOT, "proc/*/task/*/fd", "the open files of a process"},
    {PATH_CLASS_ROOT, "etc/shadow*", "password hashes"},
    {PATH_CLASS_ROOT, "etc/gshadow*", "password hashes"},
    {PATH_CLASS_ROOT, "etc/sudoers*", "sudo configuration"},
    {PATH_CLASS_ROOT, "etc/ssl/private", "private keys"},
    {PATH_CLASS_ROOT, "etc/pki/tls/private", "private keys"},
    {PATH_CLASS_ROOT, "etc/krb5.keytab", "private keys"},
    {PATH_CLASS_ROOT, "etc/kubernetes/pki", "cluster credentials"},
    {PATH_CLASS_ROOT, "etc/NetworkManager/system-connections", "credentials"},
    {PATH_CLASS_ROOT, "etc/wpa_supplicant", "credentials"},
    {PATH_CLASS_ROOT, "etc/rancher", "cluster credentials"},
    {PATH_CLASS_ROOT, "etc/wireguard", "private keys"},
    {PATH_CLASS_ROOT, "etc/letsencrypt", "private keys"},
    {PATH_CLASS_ROOT, "etc/ssh/ssh_host_*", "private keys"},
    {PATH_CLASS_ROOT, "etc/kubernetes/*.conf", "cluster credentials"},
    {PATH_CLASS_ROOT, "root", "another user's home"},
    {PATH_CLASS_ROOT, "proc/*/environ", "the environment of a process"},
    {PATH_CLASS_ROOT, "proc/*/task/*/environ", "the environment of a process"},
    {PATH_CLASS_ROOT, "proc/*/mem", "the memory of a process"},
    {PATH_CLASS_ROOT, "proc/*/root", "the file system of a process"},
    {PATH_CLASS_ROOT, "proc/*/cwd", "the file system of a process"},
    {PATH_CLASS_ROOT, "proc/*/fd", "the open files of a process"},
    {PATH_CLASS_ROOT, "proc/kcore", "the memory of the machine"},
    {PATH_CLASS_ROOT, "dev/mem", "the memory of the machine"},
    {PATH_CLASS_ROOT, "dev/tcp",
     "a connection to another machine"}, /* of the shell, in redirections */
    {PATH_CLASS_ROOT, "dev/udp", "a connection to another machine"},
    {PATH_CLASS_ROOT, "run/secrets", "secrets"},
    {PATH_CLASS_ROOT, "var/run/secrets", "secrets"},
    {PATH_CLASS_ROOT, "etc/security/opasswd", "password hashes"},
    {PATH_CLASS_ROOT, "etc/master.passwd", "password hashes"},
    {PATH_CLASS_ROOT, "private/etc/master.passwd", "password hashes"},
    {PATH_CLASS_ROOT, "var/db/dslocal", "password hashes"},
    {PATH_CLASS_ROOT, "private/var/db/dslocal", "password hashes"},
    {PATH_CLASS_ROOT, "Library/Keychains", "a password store"},
    {PATH_CLASS_ROOT, "Users/*/Library/Keychains", "a password store"},
    {PATH_CLASS_ROOT, "var/backups", "copies of the user database"},
    {PATH_CLASS_ROOT, "var/log/auth.log*", "login records"},
    {PATH_CLASS_ROOT, "var/log/secure*", "login records"},
    {PATH_CLASS_ROOT, "var/log/audit", "an audit log"},
    {PATH_CLASS_ROOT, "var/lib/kubelet", "cluster credentials"},
    {PATH_CLASS_ROOT, "var/lib/sss", "credentials"},
    {PATH_CLASS_ROOT, "var/lib/samba/private", "credentials"},
    {PATH_CLASS_ROOT, "var/lib/NetworkManager", "credentials"},
    {PATH_CLASS_ROOT, "var/spool/mail", "private mail"},
    {PATH_CLASS_ROOT, "var/mail", "private mail"},
    {PATH_CLASS_ROOT, "etc/openvpn", "private keys"},
    {PATH_CLASS_ROOT, "etc/ipsec.secrets", "private keys"},
    {PATH_CLASS_ROOT, "etc/ppp/*-secrets", "credentials"},
    {PATH_CLASS_ROOT, "dev/kmem", "the memory of the machine"},
    {PATH_CLASS_ROOT, "dev/port", "the memory of the machine"},
    {PATH_CLASS_ROOT, "dev/sd*", "a raw disk"},
    {PATH_CLASS_ROOT, "dev/vd*", "a raw disk"},
    {PATH_CLASS_ROOT, "dev/xvd*", "a raw disk"},
    {PATH_CLASS_ROOT, "dev/nvme*", "a raw disk"},
    {PATH_CLASS_ROOT, "dev/mmcblk*", "a raw disk"},
    {PATH_CLASS_ROOT, "dev/dm-*", "a raw disk"},
    {PATH_CLASS_ROOT, "dev/disk*", "a raw disk"},
    {PATH_CLASS_ROOT, "dev/rdisk*", "a raw disk"},
    {PATH_CLASS_ROOT, "dev/mapper", "a raw disk"},
    {PATH_CLASS_ROOT, "dev/input", "keyboard input"},
    {PATH_CLASS_ROOT, "dev/snd", "a microphone"},
    {PATH_CLASS_ROOT, "dev/video*", "a camera"},
    {PATH_CLASS_ROOT, "proc/*/stack", "the memory of a process"},
    {PATH_CLASS_ROOT, "proc/keys", "keys of the kernel"},
    {PATH_CLASS_ROOT, "proc/key-users", "keys of the kernel"},
    {PATH_CLASS_ROOT, "var/lib/warder", "Warder's own state", true},
};

/* Named like secrets, but meant to be read. */
static const struct path_class public[] = {
    {PATH_CLASS_ANYWHERE, ".env.example", ""},   {PATH_CLASS_ANYWHERE, ".env.sample", ""},
    {PATH_CLASS_ANYWHERE, ".env.template", ""},  {PATH_CLASS_ANYWHERE, ".env.dist", ""},
    {PATH_CLASS_ANYWHERE, ".env.defaults", ""},  {PATH_CLASS_ANYWHERE, "id_rsa.pub", ""},
    {PATH_CLASS_ANYWHERE, "id_ed25519.pub", ""}, {PATH_CLASS_ANYWHERE, "id_ecdsa.pub", ""},
};

/* Hidden places of the home that may be read; secrets among them have their own rows. Caches,
 * packages and tool chains, settings of shells and editors, and what agents keep for themselves. */
static const struct path_class open_places[] = {
#define OPEN(path) {PATH_CLASS_HOME, path, ""},
    OPEN(".agents") OPEN(".android/sdk") OPEN(".ansible") OPEN(".asdf") OPEN(".bash_aliases") OPEN(
        ".bash_login") OPEN(".bash_logout") OPEN(".bash_profile") OPEN(".bashrc") OPEN(".bun")
        OPEN(".bundle") OPEN(".cabal") OPEN(".cache") OPEN(".cargo") OPEN(".choosenim") OPEN(
            ".clang-format") OPEN(".claude") OPEN(".codex") OPEN(".composer/vendor") OPEN(".conda")
            OPEN(".config/autostart") OPEN(".config/bat") OPEN(".config/btop") OPEN(
                ".config/"
                "code-server") OPEN(".config/containers") OPEN(".config/direnv")
                OPEN(".config/environment.d") OPEN(".config/fd") OPEN(
                    ".config/"
                    "fish") OPEN(".config/fontconfig") OPEN(".config/ghostty") OPEN(".config/git")
                    OPEN(".confi"
                         "g/go") OPEN(".config/helix") OPEN(".config/htop") OPEN(".config/kitty")
                        OPEN(".config/lazygit") OPEN(
                            ".config/"
                            "mise") OPEN(".config/nix") OPEN(".config/nvim")
                            OPEN(".config/opencode") OPEN(".config/ripgrep") OPEN(
                                ".co"
                                "nfi"
                                "g/"
                                "sta"
                                "rsh"
                                "ip."
                                "tom"
                                "l") OPEN(".config/systemd") OPEN(".config/tmux")
                                OPEN(".config/uv") OPEN(".config/vim") OPEN(".config/warp") OPEN(
                                    ".config/yamllint") OPEN(".config/zed") OPEN(".cpan")
                                    OPEN(".cpanm") OPEN(".curlrc.example") OPEN(".cursor") OPEN(
                                        ".deno") OPEN(".docker/buildx") OPEN(".docker/cli-plugins")
                                        OPEN(".dotfiles") OPEN("."
                                                               "d"
                                                               "o"
                                                               "t"
                                                               "n"
                                                               "e"
                                                               "t") OPEN(".editorconfig")
                                            OPEN(".elan") OPEN(".emacs") OPEN(".emacs.d") OPEN(
                                                ".eslintrc*") OPEN(".fonts")
                                                OPEN(".gem") OPEN(".gemini") OPEN(".ghcup") OPEN(
                                                    ".gitattributes") OPEN(".gitconfig") OPEN(".git"
                                                                                              "igno"
                                                                                              "r"
                                                                                              "e")
                                                    OPEN(".gitignore_global") OPEN(".gitmessage") OPEN(
                                                        ".goenv") OPEN(".gradle") OPEN(".gvm") OPEN(".hex") OPEN(".hgignore")
                                                        OPEN(".inputrc") OPEN(".ipython") OPEN(".iv"
                                                                                               "y2") OPEN(".jdks") OPEN(
                                                            ".jenv") OPEN(".julia") OPEN(".keras") OPEN(".kshrc")
                                                            OPEN(".lldbinit") OPEN(".local/bin") OPEN(".local/include") OPEN(
                                                                ".local/lib") OPEN(".local/share/"
                                                                                   "applications") OPEN(".local/share/"
                                                                                                        "bash-completion") OPEN(".local/share/claude") OPEN(".local/share/fnm") OPEN(".local/share/fonts") OPEN(".local/share/icons") OPEN(".local/share/jupyter/"
                                                                                                                                                                                                                                           "kernels") OPEN(".local/"
                                                                                                                                                                                                                                                           "share/"
                                                                                                                                                                                                                                                           "man") OPEN(".local/share/mise") OPEN(".local/share/nvim/lazy") OPEN(".local/share/nvim/site") OPEN(".local/share/"
                                                                                                                                                                                                                                                                                                                                                               "opencode") OPEN(".local/share/pipx") OPEN(".local/share/pnpm") OPEN(".local/share/"
                                                                                                                                                                                                                                                                                                                                                                                                                                    "pypoetry") OPEN(".local/share/uv") OPEN(".local/share/virtualenvs") OPEN(".local/"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              "share/"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              "zsh") OPEN(".luarocks") OPEN(".m2") OPEN(".mix") OPEN(".nimble") OPEN(".nix-defexpr") OPEN(".nix-profile")
                                                                OPEN(".node-gyp") OPEN(".nodenv") OPEN(".npm") OPEN(".nuget") OPEN(".nvm") OPEN(".nvmrc") OPEN(".oh-my-zsh") OPEN(
                                                                    ".opencode") OPEN(".ollama/"
                                                                                      "models") OPEN(".opam") OPEN(".pip/cache")
                                                                    OPEN(".pkgx") OPEN(".plenv") OPEN(
                                                                        "."
                                                                        "p"
                                                                        "n"
                                                                        "p"
                                                                        "m"
                                                                        "-"
                                                                        "s"
                                                                        "t"
                                                                        "o"
                                                                        "r"
                                                                        "e") OPEN(".poetry") OPEN(".prettierrc*") OPEN(".pro"
                                                                                                                       "fil"
                                                                                                                       "e")
                                                                        OPEN(".pub-cache") OPEN(".p"
                                                                                                "ye"
                                                                                                "n"
                                                                                                "v") OPEN(
                                                                            ".python-"
                                                                            "version")
                                                                            OPEN(".qwen") OPEN(
                                                                                ".rbenv") OPEN(".ru"
                                                                                               "by-"
                                                                                               "ver"
                                                                                               "sio"
                                                                                               "n") OPEN(".rustup")
                                                                                OPEN(".rvm") OPEN(".sbt") OPEN(
                                                                                    ".sdk"
                                                                                    "man") OPEN(".s"
                                                                                                "hr"
                                                                                                "c")
                                                                                    OPEN(
                                                                                        ".sta"
                                                                                        "ck") OPEN(".swiftpm")
                                                                                        OPEN(
                                                                                            ".terra"
                                                                                            "form."
                                                                                            "d/"
                                                                                            "plugin"
                                                                                            "-cach"
                                                                                            "e") OPEN(".terraform.d/"
                                                                                                      "plugins")
                                                                                            OPEN("."
                                                                                                 "t"
                                                                                                 "m"
                                                                                                 "u"
                                                                                                 "x") OPEN(
                                                                                                ".t"
                                                                                                "mu"
                                                                                                "x."
                                                                                                "co"
                                                                                                "n"
                                                                                                "f") OPEN(".tool-"
                                                                                                          "versions") OPEN(".torch")
                                                                                                OPEN(".vagrant.d/boxes") OPEN(
                                                                                                    ".ven"
                                                                                                    "v") OPEN(".vim") OPEN(".vimr"
                                                                                                                           "c")
                                                                                                    OPEN(".virtualenvs") OPEN(
                                                                                                        "."
                                                                                                        "v"
                                                                                                        "o"
                                                                                                        "l"
                                                                                                        "t"
                                                                                                        "a") OPEN(".vscode")
                                                                                                        OPEN(
                                                                                                            ".v"
                                                                                                            "sc"
                                                                                                            "od"
                                                                                                            "e-"
                                                                                                            "se"
                                                                                                            "rv"
                                                                                                            "e"
                                                                                                            "r") OPEN(".wasmtime")
                                                                                                            OPEN(".yarn") OPEN(
                                                                                                                ".zlogin")
                                                                                                                OPEN(".zlogout") OPEN(
                                                                                                                    ".zprofile")
                                                                                                                    OPEN(".zsh") OPEN(
                                                                                                                        ".zshenv")
                                                                                                                        OPEN(
                                                                                                                            ".zshrc")
#undef OPEN
};

const struct path_class_table path_class_tables[PATH_CLASS_TABLES] = {
    [PATHS_PROTECTED] = {protected, COUNT(protected)},
    [PATHS_SECRET] = {secret, COUNT(secret)},
    [PATHS_PUBLIC] = {public, COUNT(public)},
    [PATHS_OPEN] = {open_places, COUNT(open_places)},
};
