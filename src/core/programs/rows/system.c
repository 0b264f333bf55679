/* system.c - rows: the machine itself: services, packages, users, disks, kernel, and who
 * becomes another user.
 *
 * Questions are quiet; everything else changes the machine for everybody on it. Wrappers that give
 * the inner command other rights are a privilege, whatever it is. */
#include "programs/programs.h"

#define APT       "apt-get(8), apt(8)"
#define BREW      "brew(1)"
#define SYSTEMCTL "systemctl(1)"

/* apt reads its options anywhere; -o and -c can name commands to run. */
#define APT_OPTIONS                                                                                \
    "mixed %-h,--help -q,--quiet?= -qq -y,--yes,--assume-yes "                                     \
    "-s,--simulate,--just-print,--dry-run "                                                        \
    "--no-install-recommends "                                                                     \
    "--install-recommends -d,--download-only -f,--fix-broken -m,--fix-missing -u,--show-upgraded " \
    "-V,--verbose-versions "                                                                       \
    "--allow-downgrades --allow-change-held-packages --allow-unauthenticated --no-upgrade "        \
    "--only-upgrade --reinstall "                                                                  \
    "--purge --auto-remove,--autoremove -t,--target-release,--default-release= --no-remove "       \
    "--fix-policy --force-yes "                                                                    \
    "-a,--host-architecture= --installed --upgradable --manual-installed --all-versions "          \
    "--names-only,-n --full "                                                                      \
    "--no-all-versions --recurse --important -i --allow-releaseinfo-change --color --no-color "    \
    "!-o,--option=X "                                                                              \
    "!-c,--config-file=F"

static const struct program_row rows[] = {
    {"adduser", "%--version %--help", "@@data", EFFECT_SYSTEM, "adduser(8)"},
    {"apk",
     "global %-h,--help %-V,--version -q,--quiet -v,--verbose --no-cache --no-progress "
     "-U,--update-cache --no-network "
     "!-p,--root= !-X,--repository=N "
     "!--keys-dir= !--repositories-file= !--allow-untrusted !--wait=",
     "sub", 0, "apk(8)"},
    {"apk add", "mixed -t,--virtual= -u,--upgrade -l,--latest -i,--interactive --no-scripts", ".*",
     EFFECT_INSTALL | EFFECT_SYSTEM, "apk(8)"},
    {"apk del", "mixed -r,--rdepends", ".*", EFFECT_SYSTEM, "apk(8)"},
    {"apk info",
     "mixed -a,--all -d,--description -e,--installed -L,--contents -P,--provides -R,--depends "
     "-r,--rdepends -s,--size "
     "-W,--who-owns -w,--webpage "
     "-t,--triggers",
     ".*", 0, "apk(8)"},
    {"apk list",
     "mixed -I,--installed -O,--orphaned -u,--upgradable -a,--available -o,--origin -d,--depends "
     "-P,--providers",
     ".*", 0, "apk(8)"},
    {"apk policy", "mixed", ".*", 0, "apk(8)"},
    {"apk search", "mixed -a,--all -d,--description -e,--exact -o,--origin -r,--rdepends -x", ".*",
     0, "apk(8)"},
    {"apk update", "mixed", "none", EFFECT_FETCH | EFFECT_SYSTEM, "apk(8)"},
    {"apk upgrade", "mixed -a,--available -l,--latest -i,--interactive", ".*",
     EFFECT_INSTALL | EFFECT_SYSTEM, "apk(8)"},
    {"apk version", "mixed -a,--all -t,--test -c,--check -l,--limit=", ".*", 0, "apk(8)"},
    {"apt", "global " APT_OPTIONS " %-v,--version", "sub", 0, APT, .also = "apt-get,aptitude",
     .kit = "debian"},
    {"apt autoremove", "mixed", ".*", EFFECT_SYSTEM, APT},
    {"apt depends", "mixed", ".*", 0, APT},
    {"apt full-upgrade", "mixed", ".*", EFFECT_INSTALL | EFFECT_SYSTEM, APT},
    {"apt install", "mixed", ".*", EFFECT_INSTALL | EFFECT_SYSTEM, APT},
    {"apt list", "mixed", ".*", 0, APT},
    {"apt policy", "mixed", ".*", 0, APT},
    {"apt purge", "mixed", ".*", EFFECT_SYSTEM | EFFECT_LOSS, APT},
    {"apt rdepends", "mixed", ".*", 0, APT},
    {"apt remove", "mixed", ".*", EFFECT_SYSTEM, APT},
    {"apt search", "mixed", ".*", 0, APT},
    {"apt show", "mixed", ".*", 0, APT},
    {"apt showsrc", "mixed", ".*", 0, APT},
    {"apt update", "mixed", "none", EFFECT_FETCH | EFFECT_SYSTEM, APT},
    {"apt upgrade", "mixed", ".*", EFFECT_INSTALL | EFFECT_SYSTEM, APT},
    {"apt-cache", "global " APT_OPTIONS " %-v,--version", "sub", 0, "apt-cache(8)"},
    {"apt-cache depends", "mixed", ".*", 0, "apt-cache(8)"},
    {"apt-cache dump", "mixed", "none", 0, "apt-cache(8)"},
    {"apt-cache madison", "mixed", ".*", 0, "apt-cache(8)"},
    {"apt-cache pkgnames", "mixed", ".*", 0, "apt-cache(8)"},
    {"apt-cache policy", "mixed", ".*", 0, "apt-cache(8)"},
    {"apt-cache rdepends", "mixed", ".*", 0, "apt-cache(8)"},
    {"apt-cache search", "mixed", ".*", 0, "apt-cache(8)"},
    {"apt-cache show", "mixed", ".*", 0, "apt-cache(8)"},
    {"apt-cache showpkg", "mixed", ".*", 0, "apt-cache(8)"},
    {"apt-cache stats", "mixed", "none", 0, "apt-cache(8)"},
    {"apt-get", "global " APT_OPTIONS " %-v,--version", "sub", 0, APT, .also = "apt,aptitude",
     .kit = "debian"},
    {"apt-get autoclean", "mixed", ".*", EFFECT_SYSTEM, APT},
    {"apt-get autoremove", "mixed", ".*", EFFECT_SYSTEM, APT},
    {"apt-get build-dep", "mixed", ".*", EFFECT_INSTALL | EFFECT_SYSTEM, APT},
    {"apt-get clean", "mixed", ".*", EFFECT_SYSTEM, APT},
    {"apt-get dist-upgrade", "mixed", ".*", EFFECT_INSTALL | EFFECT_SYSTEM, APT},
    {"apt-get download", "mixed", "cwd=W .*", EFFECT_FETCH, APT},
    {"apt-get install", "mixed", ".*", EFFECT_INSTALL | EFFECT_SYSTEM, APT},
    {"apt-get purge", "mixed", ".*", EFFECT_SYSTEM | EFFECT_LOSS, APT},
    {"apt-get remove", "mixed", ".*", EFFECT_SYSTEM, APT},
    {"apt-get source", "mixed", "cwd=w .*", EFFECT_FETCH | EFFECT_CODE, APT},
    {"apt-get update", "mixed", "none", EFFECT_FETCH | EFFECT_SYSTEM, APT},
    {"apt-get upgrade", "mixed", ".*", EFFECT_INSTALL | EFFECT_SYSTEM, APT},
    {"apt-mark", "", "^system .*", 0, "apt-mark(8)"},
    {"apt-mark showauto", "", ".*", 0, "apt-mark(8)"},
    {"apt-mark showhold", "", ".*", 0, "apt-mark(8)"},
    {"apt-mark showmanual", "", ".*", 0, "apt-mark(8)"},
    {"aptitude", "=", "", 0, "aptitude(8)", .also = "apt,apt-get"},
    {"atq", "%-V -q=", "none", 0, "at(1)"},
    {"atrm", "%-V", ".*", EFFECT_SYSTEM, "at(1)"},
    {"blkid",
     "mixed %-h,--help %-V,--version -L,--label= -U,--uuid= -k,--list-filesystems -l,--list-one "
     "-o,--output= "
     "-s,--match-tag= "
     "-t,--match-token= -p,--probe -i,--info "
     "!-c,--cache-file=RW !-g,--garbage-collect",
     "R*", 0, "blkid(8)"},
    {"brew",
     "%-v,--version %-h,--help -q,--quiet -d,--debug "
     "--prefix,--cellar,--cache,--repository,--repo,--caskroom,--env -s --formula --cask "
     "--installed "
     "--force-bottle",
     "{--prefix} @formula* | sub", 0,
     "brew(1); a name with a slash is a tap or a file, and both are Ruby that is run"},
    {"brew autoremove", "mixed %-h,--help -n,--dry-run", "none", EFFECT_SYSTEM, BREW},
    {"brew bundle", "%-h,--help", "@@data", EFFECT_INSTALL | EFFECT_SYSTEM | EFFECT_CODE, BREW},
    {"brew casks", "", "none", 0, BREW},
    {"brew cat", "mixed %-h,--help --formula --cask", "@formula*", 0, BREW},
    {"brew cleanup", "%-h,--help", "@@data", EFFECT_SYSTEM | EFFECT_LOSS, BREW},
    {"brew commands", "mixed %-h,--help -q,--quiet --include-aliases", "none", 0, BREW},
    {"brew config", "mixed %-h,--help", "none", 0, BREW},
    {"brew deps",
     "mixed %-h,--help -n,--topological -1,--direct,--declared --union --full-name --include-build "
     "--include-optional "
     "--include-test --skip-recommended "
     "--include-requirements --tree --graph --dot --annotate --installed --missing --for-each "
     "--formula,--formulae "
     "--cask,--casks",
     "@formula*", 0, BREW},
    {"brew desc",
     "mixed %-h,--help -s,--search= -n,--name= -d,--description= --formula,--formulae "
     "--cask,--casks",
     "@formula*", 0, BREW},
    {"brew doctor", "mixed %-h,--help --list-checks -D,--audit-debug", ".*", 0, BREW},
    {"brew fetch", "%-h,--help", "@@data", EFFECT_FETCH | EFFECT_SYSTEM, BREW},
    {"brew formulae", "", "none", 0, BREW},
    {"brew home", "mixed %-h,--help --formula --cask", ".*", EFFECT_CODE,
     "brew(1); opens a browser"},
    {"brew info",
     "mixed %-h,--help --analytics --days= --category= --github --json?= --installed --eval-all "
     "-v,--verbose "
     "--formula,--formulae --cask,--casks --sizes "
     "--fetch-manifest",
     "@formula*", EFFECT_FETCH, BREW},
    {"brew install", "%-h,--help", "@@data", EFFECT_INSTALL | EFFECT_SYSTEM, BREW},
    {"brew leaves", "mixed %-h,--help -r,--installed-on-request -p,--installed-as-dependency",
     "none", 0, BREW},
    {"brew link", "%-h,--help", "@@data", EFFECT_SYSTEM, BREW},
    {"brew list",
     "mixed %-h,--help --formula,--formulae --cask,--casks --full-name --versions --multiple "
     "--pinned "
     "--installed-on-request --installed-as-dependency "
     "--poured-from-bottle --built-from-source -1 -l -r -t -v,--verbose",
     "@formula*", 0, BREW, .also = "brew ls"},
    {"brew log",
     "mixed %-h,--help -p,--patch,-u --stat --oneline -1 -n,--max-count= --formula --cask",
     "@formula*", 0, BREW},
    {"brew ls", "=brew list", "", 0, BREW},
    {"brew missing", "mixed %-h,--help --hide=", "@formula*", 0, BREW},
    {"brew options",
     "mixed %-h,--help --compact --installed --all --eval-all --command=", "@formula*", 0, BREW},
    {"brew outdated",
     "mixed %-h,--help -q,--quiet -v,--verbose --formula,--formulae --cask,--casks --json?= "
     "--fetch-HEAD -g,--greedy "
     "--greedy-latest --greedy-auto-updates",
     "@formula*", EFFECT_FETCH, BREW},
    {"brew pin", "mixed %-h,--help", "@formula*", EFFECT_SYSTEM, BREW},
    {"brew reinstall", "%-h,--help", "@@data", EFFECT_INSTALL | EFFECT_SYSTEM, BREW},
    {"brew search",
     "mixed %-h,--help --formula,--formulae --cask,--casks --desc --eval-all --pull-request --open "
     "--closed "
     "--archlinux --debian --fedora --repology",
     "@formula*", EFFECT_FETCH, BREW},
    {"brew services", "%-h,--help", "^unknown .*", EFFECT_SYSTEM, BREW},
    {"brew services info", "mixed %-h,--help --all --json", ".*", 0, BREW},
    {"brew services list", "mixed %-h,--help --json", "none", 0, BREW},
    {"brew shellenv", "", ".", 0, BREW},
    {"brew tap", "mixed %-h,--help", "{0} none | ^code^network .*", 0, BREW},
    {"brew uninstall", "%-h,--help", "@@data", EFFECT_SYSTEM | EFFECT_LOSS, BREW,
     .also = "brew rm,brew remove"},
    {"brew update", "%-h,--help", "@@data", EFFECT_FETCH | EFFECT_SYSTEM, BREW},
    {"brew upgrade", "%-h,--help", "@@data", EFFECT_INSTALL | EFFECT_SYSTEM, BREW},
    {"brew uses",
     "mixed %-h,--help --recursive --installed --missing --eval-all --include-build "
     "--include-optional --include-test "
     "--skip-recommended --formula --cask",
     "@formula*", 0, BREW},
    {"bwrap",
     "%--version %--help --unshare-all --share-net --unshare-user --unshare-ipc --unshare-pid "
     "--unshare-net --unshare-uts --unshare-cgroup --die-with-parent --new-session --as-pid-1 "
     "--clearenv --uid= --gid= --hostname= --chdir= --setenv=.,. --unsetenv= --proc= --dev= "
     "--tmpfs= --mqueue= --dir= --bind=R,. --bind-try=R,. --dev-bind=R,. --ro-bind=R,. "
     "--ro-bind-try=R,. --symlink=.,. --cap-drop= !--unshare-user-try !--unshare-cgroup-try "
     "!--args= !--argv0= !--userns= !--userns2= !--disable-userns !--assert-userns-disabled "
     "!--pidns= !--dev-bind-try=R,. !--bind-fd=.,. !--ro-bind-fd=.,. !--remount-ro= "
     "!--overlay-src=R !--overlay=.,.,. !--tmp-overlay= !--ro-overlay= !--exec-label= "
     "!--file-label= !--file=.,. !--bind-data=.,. !--ro-bind-data=.,. !--seccomp= "
     "!--add-seccomp-fd= !--block-fd= !--userns-block-fd= !--info-fd= !--json-status-fd= "
     "!--lock-file= !--sync-fd= !--cap-add= !--perms= !--size= !--chmod=.,. !--level-prefix",
     "I", EFFECT_PRIVILEGE, "bwrap(1)", .elsewhere = true},
    {"cgexec", "-h,--help -g= --sticky", "I", EFFECT_SYSTEM, "cgexec(1)"},
    {"chfn", "", "@@data", EFFECT_SYSTEM, "chfn(1)"},
    {"chpasswd", "", "@@data", EFFECT_SYSTEM | EFFECT_SECRETS, "chpasswd(8)"},
    {"chsh", "%-h,--help %-v,--version -l,--list-shells -s,--shell=",
     "{-l,--list-shells} none | ^system .", 0, "chsh(1)"},
    {"dbus-run-session", "--help --version --dbus-daemon=F --config-file=R", "I", EFFECT_CODE,
     "dbus-run-session(1)"},
    {"dmesg",
     GNU_OPTIONS
     "-x,--decode -H,--human -k,--kernel -L,--color?= -l,--level= -f,--facility= -T,--ctime "
     "-t,--notime "
     "-d,--show-delta -e,--reltime --time-format= -u,--userspace "
     "-w,--follow -W,--follow-new -P,--nopager -p,--force-prefix -r,--raw -s,--buffer-size= "
     "-S,--syslog "
     "-J,--json --since= --until= -F,--file=R "
     "^system-C,--clear ^system-c,--read-clear ^system-D,--console-off ^system-E,--console-on "
     "^system-n,--console-level=",
     "none", 0, "dmesg(1)"},
    {"dmidecode",
     "%-h,--help %-V,--version -q,--quiet -s,--string= -t,--type= -u,--dump -d,--dev-mem=R "
     "!--dump-bin=W --from-dump=R",
     "none", 0, "dmidecode(8)"},
    {"dnf",
     "global %-h,--help %--version -q,--quiet -v,--verbose -y,--assumeyes --assumeno "
     "-C,--cacheonly --refresh "
     "--enablerepo,--enable-repo= --disablerepo,--disable-repo= "
     "--color= -b,--best --nobest --skip-broken --installed --available --upgrades --all "
     "--showduplicates "
     "--allowerasing --nogpgcheck --setopt=X !-c,--config=F "
     "!--installroot= !--repofrompath=N !--forcearch=",
     "sub", 0, "dnf(8)", .also = "yum"},
    {"dnf check-update", "mixed", ".*", EFFECT_FETCH, "dnf(8)"},
    {"dnf info", "mixed", ".*", EFFECT_FETCH, "dnf(8)"},
    {"dnf install", "mixed", ".*", EFFECT_INSTALL | EFFECT_SYSTEM, "dnf(8)"},
    {"dnf list", "mixed", ".*", EFFECT_FETCH, "dnf(8)"},
    {"dnf provides", "mixed", ".*", EFFECT_FETCH, "dnf(8)"},
    {"dnf remove", "mixed", ".*", EFFECT_SYSTEM, "dnf(8)"},
    {"dnf repolist", "mixed", ".*", EFFECT_FETCH, "dnf(8)"},
    {"dnf repoquery",
     "mixed -l,--list -i,--info --requires --provides --whatrequires= --qf,--queryformat=", ".*",
     EFFECT_FETCH, "dnf(8)"},
    {"dnf search", "mixed", ".*", EFFECT_FETCH, "dnf(8)"},
    {"dnf update", "=dnf install", "", 0, "dnf(8)"},
    {"dnf upgrade", "=dnf install", "", 0, "dnf(8)"},
    {"dpkg",
     "%--help,-? %--version -l,--list -s,--status -L,--listfiles -S,--search -p,--print-avail "
     "--print-architecture "
     "--print-foreign-architectures --get-selections "
     "--compare-versions -V,--verify -C,--audit --no-pager -c,--contents -I,--info -f,--field "
     "^install^system-i,--install "
     "^install^system--unpack ^install^system--configure ^system-r,--remove ^system^loss-P,--purge "
     "^system--add-architecture ^system--remove-architecture ^system--set-selections "
     "^system--clear-selections "
     "-x,--extract,-X,--vextract "
     "-e,--control --force-all -R,--recursive -a,--pending "
     "!--root= !--instdir= !--admindir= !--log=W !--pre-invoke=X !--post-invoke=X "
     "!--status-logger=X",
     "{-c,--contents,-I,--info,-f,--field} R .* | {-x,--extract} R w | {-e,--control} R w | "
     "{-l,-s,-L,-S,-p,--print-architecture,--print-foreign-architectures,--get-selections,--"
     "compare-versions,-V,-C} .* "
     "| ^system R*",
     0, "dpkg(1)"},
    {"dpkg-deb",
     "%--help %--version -c,--contents -I,--info -f,--field -W,--show -x,--extract,-X,--vextract "
     "-e,--control "
     "^project-b,--build --root-owner-group -Z= -z=",
     "{-c,-I,-f,-W} R .* | {-x,-e} R w | r W", 0, "dpkg-deb(1)", .brings = BRINGS_ARCHIVE,
     .follows = ""},
    {"dpkg-query",
     "%--help,-? %--version -l,--list -W,--show -s,--status -L,--listfiles -S,--search "
     "-p,--print-avail "
     "-f,--showformat= --no-pager -c,--control-path --control-list "
     "--control-show !--admindir=r",
     ".*", 0, "dpkg-query(1)"},
    {"dpkg-reconfigure", "", "@@data", EFFECT_SYSTEM, "dpkg-reconfigure(8)"},
    {"fdisk",
     "%-h,--help %-V,--version -l,--list -x,--list-details -o,--output= --bytes -u,--units?= "
     "-L,--color?=",
     "{-l,--list,-x,--list-details} R* | ^system RW", 0, "fdisk(8)"},
    {"findmnt",
     GNU_OPTIONS "-a,--ascii -A,--all -b,--bytes -D,--df -f,--first-only -i,--invert -J,--json "
                 "-k,--kernel -l,--list "
                 "-m,--mtab -M,--mountpoint= -n,--noheadings -o,--output= "
                 "-P,--pairs -r,--raw -R,--submounts -s,--fstab -S,--source= -t,--types= "
                 "-T,--target= -u,--notruncate "
                 "-v,--nofsroot -O,--options= -F,--tab-file=R",
     ".*", 0, "findmnt(8)"},
    {"firejail",
     "%--version %--help -c --allusers --allow-debuggers --appimage --build --debug "
     "--deterministic-exit-code --disable-mnt --list --machine-id --memory-deny-write-execute "
     "--netstats --no3d --noautopulse --nodbus --nodvd --nogroups --noinput --nonewprivs "
     "--noprinters --noprofile --noroot --nosound --notv --nou2f --novideo --overlay "
     "--overlay-tmpfs --private-cache --private-cwd --private-dev --private-tmp --quiet --top "
     "--tracelog --tree --writable-etc --writable-run-user --writable-var --apparmor?= --bind?= "
     "--bandwidth?= --blacklist?= --caps?= --caps.drop?= --caps.keep?= --cpu?= --defaultgw?= "
     "--dns?= --env?= --fs.print?= --hostname?= --hosts-file?= --ignore?= --interface?= --ip?= "
     "--iprange?= --ip6?= --ipc-namespace?= --join?= --join-or-start?= --keep-fd?= --mac?= "
     "--mkdir?= --mkfile?= --mtu?= --name?= --net?= --netfilter?= --netmask?= --netns?= --nice?= "
     "--noblacklist?= --noexec?= --nowhitelist?= --overlay-named?= --private?= --private-bin?= "
     "--private-etc?= --private-home?= --private-lib?= --private-opt?= --private-srv?= --profile?= "
     "--protocol?= --read-only?= --read-write?= --rlimit-as?= --rlimit-cpu?= --rlimit-fsize?= "
     "--rlimit-nofile?= --rlimit-nproc?= --seccomp?= --seccomp.drop?= --seccomp.keep?= "
     "--shutdown?= --timeout?= --tmpfs?= --trace?= --veth-name?= --whitelist?= --x11?= "
     "--xephyr-screen?=",
     "{0} none | I", EFFECT_PRIVILEGE | EFFECT_CODE, "firejail(1)", .elsewhere = true},
    {"flatpak", "%-h,--help %--version -v,--verbose --user --system", "sub", 0, "flatpak(1)"},
    {"flatpak info", "mixed", ".*", 0, "flatpak(1)"},
    {"flatpak install", "", "@@data", EFFECT_INSTALL | EFFECT_SYSTEM, "flatpak(1)"},
    {"flatpak list", "mixed --app --runtime --user --system -a,--all --columns= -d,--show-details",
     "none", 0, "flatpak(1)"},
    {"flatpak remotes", "mixed --user --system -d,--show-details --columns=", "none", 0,
     "flatpak(1)"},
    {"flatpak run", "", "@@data", EFFECT_CODE, "flatpak(1)"},
    {"flatpak search", "mixed --columns=", ".*", EFFECT_FETCH, "flatpak(1)"},
    {"fsck", "", "^unknown R*", EFFECT_SYSTEM | EFFECT_LOSS, "fsck(8)"},
    {"getent", GNU_OPTIONS "-i,--no-idn !-s,--service=", "sub", 0, "getent(1)"},
    {"getent ahosts", "=getent hosts", "", 0, "getent(1)"},
    {"getent ahostsv4", "=getent hosts", "", 0, "getent(1)"},
    {"getent group", "", ".*", 0, "getent(1)"},
    {"getent gshadow", "=getent shadow", "", 0, "getent(1)"},
    {"getent hosts", "", "N*", EFFECT_NETWORK, "getent(1); asks the name server"},
    {"getent networks", "", ".*", 0, "getent(1)"},
    {"getent passwd", "", ".*", 0, "getent(1)"},
    {"getent protocols", "", ".*", 0, "getent(1)"},
    {"getent services", "", ".*", 0, "getent(1)"},
    {"getent shadow", "", ".*", EFFECT_SECRETS, "getent(1)"},
    {"gpasswd", "", "@@data", EFFECT_SYSTEM, "gpasswd(1)"},
    {"groupadd", "", "@@data", EFFECT_SYSTEM, "groupadd(8)"},
    {"groupdel", "", "@@data", EFFECT_SYSTEM, "groupdel(8)"},
    {"groupmod", "", "@@data", EFFECT_SYSTEM, "groupmod(8)"},
    {"halt", "", "@@data", EFFECT_SYSTEM, "halt(8)"},
    {"hdparm", "%-V %-h", "^unknown RW*", EFFECT_SYSTEM, "hdparm(8)"},
    {"init", "", "@@data", EFFECT_SYSTEM, "init(8)"},
    {"insmod", "", "^unknown R .*", EFFECT_SYSTEM | EFFECT_CODE, "insmod(8)"},
    {"journalctl",
     "number " GNU_OPTIONS
     "%-h --system --user -m,--merge -S,--since= -U,--until= -b,--boot?= -u,--unit= --user-unit= "
     "-t,--identifier= -T,--exclude-identifier= -p,--priority= --facility= "
     "-g,--grep= --case-sensitive?= -k,--dmesg -o,--output= --output-fields= -n,--lines?= "
     "-r,--reverse "
     "--show-cursor --utc -x,--catalog --no-full -a,--all -f,--follow "
     "--no-tail -q,--quiet --no-pager -e,--pager-end --no-hostname -c,--cursor= --after-cursor= "
     "-N,--fields -F,--field= --list-boots --disk-usage --list-catalog "
     "--dump-catalog --header --verify -D,--directory=r --file=R !--cursor-file=W !--root= "
     "!--image= "
     "!--namespace= !-M,--machine= ^system--rotate ^system--flush ^system--sync "
     "^system^loss--vacuum-size= ^system^loss--vacuum-files= ^system^loss--vacuum-time= "
     "^system--setup-keys ^system--update-catalog "
     "^system--relinquish-var ^system--smart-relinquish-var",
     "{bare} ^unknown none | .*", 0, "journalctl(1); without a word it is the pager"},
    {"kextstat", "", ".*", 0, "kextstat(8)"},
    {"last",
     "number " GNU_OPTIONS
     "-a,--hostlast -d,--dns -F,--fulltimes -i,--ip -n,--limit= -p,--present= -R,--nohostname "
     "-s,--since= -t,--until= -w,--fullnames -x,--system --time-format= -f,--file=R",
     ".*", 0, "last(1)"},
    {"lastb", "=last", "", 0, "last(1)"},
    {"lastlog",
     GNU_OPTIONS "-b,--before= -t,--time= -u,--user= ^system-C,--clear ^system-S,--set !-R,--root=",
     "none", 0, "lastlog(8)"},
    {"loginctl",
     "%-h,--help %--version --no-pager -l,--full -a,--all -p,--property= --value -n,--lines= "
     "-o,--output= --no-legend "
     "!-H,--host=N !-M,--machine=",
     "{0} none | ^system .*", 0, "loginctl(1)"},
    {"loginctl list-sessions", "mixed --no-legend --no-pager", "none", 0, "loginctl(1)"},
    {"loginctl list-users", "mixed --no-legend --no-pager", "none", 0, "loginctl(1)"},
    {"loginctl session-status", "mixed --no-pager", ".*", 0, "loginctl(1)"},
    {"loginctl show-session", "mixed -p,--property= --value", ".*", 0, "loginctl(1)"},
    {"loginctl show-user", "mixed -p,--property= --value", ".*", 0, "loginctl(1)"},
    {"losetup",
     "%-h,--help %-V,--version -a,--all -l,--list -J,--json -n,--noheadings -O,--output= --raw "
     "-j,--associated=R "
     "^system-d,--detach ^system-D,--detach-all ^system-f,--find ^system-P,--partscan "
     "-r,--read-only",
     "{0} none | ^system R*", 0, "losetup(8)"},
    {"lsipc", GNU_OPTIONS, "none", 0, "lsipc(1)"},
    {"lslogins",
     GNU_OPTIONS "-u,--user-accs -s,--system-accs -o,--output= -p,--pwd -L,--last -J,--json", ".",
     0, "lslogins(1)"},
    {"lsmem",
     GNU_OPTIONS "-a,--all -b,--bytes -J,--json -n,--noheadings -o,--output= -P,--pairs -r,--raw "
                 "-S,--split= --summary?=",
     "none", 0, "lsmem(1)"},
    {"machinectl", "%-h,--help %--version", "@@data", EFFECT_CODE | EFFECT_SYSTEM,
     "machinectl(1): shell runs a command"},
    {"mkfs", "", "^unknown RW*", EFFECT_SYSTEM | EFFECT_LOSS, "mkfs(8)",
     .also =
         "mkfs.btrfs,mkfs.ext2,mkfs.ext3,mkfs.ext4,mkfs.fat,mkfs.ntfs,mkfs.vfat,mkfs.xfs,mke2fs"},
    {"mkfs.btrfs", "=mkfs", "", 0, "mkfs(8)"},
    {"mkfs.ext2", "=mkfs", "", 0, "mkfs(8)"},
    {"mkfs.ext3", "=mkfs", "", 0, "mkfs(8)"},
    {"mkfs.ext4", "=mkfs", "", 0, "mkfs(8)"},
    {"mkfs.fat", "=mkfs", "", 0, "mkfs(8)"},
    {"mkfs.ntfs", "=mkfs", "", 0, "mkfs(8)"},
    {"mkfs.vfat", "=mkfs", "", 0, "mkfs(8)"},
    {"mkfs.xfs", "=mkfs", "", 0, "mkfs(8)"},
    {"mkswap", "=mkfs", "", 0, "mkswap(8)"},
    {"modinfo",
     "%-h,--help %-V,--version -F,--field= -a,--author -d,--description -l,--license "
     "-p,--parameters -n,--filename "
     "-0,--null -k= !-b,--basedir=",
     ".*", 0, "modinfo(8)"},
    {"modprobe", "", "@@data", EFFECT_SYSTEM | EFFECT_CODE, "modprobe(8)"},
    {"mount",
     "%-h,--help %-V,--version -l,--show-labels -v,--verbose -t,--types=", "{0} none | ^system RW*",
     0, "mount(8)", .on_itself = true, .same = "--rw,--read-write -w,--read-write"},
    {"nix",
     "global %--help %--version -v,--verbose -L,--print-build-logs --quiet --json --offline "
     "!--extra-experimental-features= !--option=.,. !-I,--include= --accept-flake-config",
     "sub", 0, "nix(1)"},
    {"nix build", "", "@@data", EFFECT_CODE | EFFECT_FETCH, "nix(1)"},
    {"nix develop", "", "@@data", EFFECT_CODE, "nix(1)"},
    {"nix flake", "", "@@data", EFFECT_CODE | EFFECT_NETWORK, "nix(1)"},
    {"nix path-info", "mixed -s,--size -S,--closure-size -h,--human-readable -r,--recursive --all",
     "{0} ^code none | M*", 0, "nix(1)"},
    {"nix run", "", "@@data", EFFECT_CODE | EFFECT_NETWORK, "nix(1)"},
    {"nix shell", "", "@@data", EFFECT_CODE | EFFECT_NETWORK, "nix(1)"},
    {"nix-env",
     "mixed %--version %--help -q,--query --installed -a,--available ^install^system-i,--install "
     "^install^system-u,--upgrade ^system-e,--uninstall "
     "^system--rollback ^system--delete-generations --list-generations -A,--attr",
     "{-q,--query,--list-generations} .* | ^system .*", EFFECT_FETCH, "nix-env(1)"},
    {"nix-shell", "", "@@data", EFFECT_CODE | EFFECT_NETWORK, "nix-shell(1)"},
    {"pacman",
     "mixed %-h,--help %-V,--version -Q,--query -i,--info -l,--list -o,--owns -e,--explicit "
     "-m,--foreign -n,--native "
     "-q,--quiet -k,--check -t,--unrequired -d,--deps -g,--groups "
     "^fetch-s,--search -p,--file=R --color= ^system-S,--sync ^system-y,--refresh "
     "^system-u,--upgrade,--sysupgrade "
     "^system-R,--remove ^system-U "
     "^system-D,--database -F,--files --noconfirm --needed -v,--verbose "
     "!--config=F !-r,--root= !-b,--dbpath= !--hookdir=F !--cachedir= !--gpgdir= !--logfile=W",
     "{-S,--sync} ^install .* | {-U} ^install LR* | {-R,--remove} .* | {-Q,--query,-F,--files} .* "
     "| ^system .*",
     0, "pacman(8)"},
    {"parted", "%-h,--help %-v,--version -l,--list -m,--machine -s,--script",
     "{0} {-l,--list} none | ^system^loss RW .*", 0, "parted(8)"},
    {"passwd", "%-h,--help -S,--status", "{-S,--status} . | ^unknown .*",
     EFFECT_SYSTEM | EFFECT_SECRETS, "passwd(1)"},
    {"port", "-v -d -q -f -n -u", "sub", 0, "port(1), MacPorts"},
    {"port info", "mixed", "{0} ^code none | M*", 0, "port(1)"},
    {"port install", "", "@@data", EFFECT_INSTALL | EFFECT_SYSTEM, "port(1)"},
    {"port installed", "mixed", ".*", 0, "port(1)"},
    {"port list", "mixed", ".*", 0, "port(1)"},
    {"port search", "mixed", ".*", 0, "port(1)"},
    {"poweroff", "", "@@data", EFFECT_SYSTEM, "poweroff(8)"},
    {"reboot", "", "@@data", EFFECT_SYSTEM, "reboot(8)"},
    {"resolvectl", "%-h,--help %--version --no-pager", "{0} none | ^unknown .*", 0,
     "resolvectl(1)"},
    {"resolvectl query", "", "N*", EFFECT_NETWORK, "resolvectl(1)"},
    {"resolvectl statistics", "", "none", 0, "resolvectl(1)"},
    {"resolvectl status", "", ".*", 0, "resolvectl(1)"},
    {"rmmod", "", "@@data", EFFECT_SYSTEM, "rmmod(8)"},
    {"rpm",
     "mixed %-?,--help %--version -q,--query -a,--all -i,--info -l,--list -f,--file -p,--package "
     "-c,--configfiles "
     "-d,--docfiles -R,--requires --provides --changelog --scripts "
     "--whatprovides --whatrequires --last -s,--state -v,--verbose --qf,--queryformat=. "
     "-V,--verify -K,--checksig "
     "^install^system-U,--upgrade ^install^system-F,--freshen ^install^system--install "
     "^system-e,--erase "
     "^system--import ^system--rebuilddb ^system--initdb --nodeps --force -h,--hash !-E,--eval=X "
     "!-D,--define=X "
     "!--root= !--dbpath= "
     "!--rcfile=F !--macros=F !--pipe=X !--load=F",
     "{-q,--query,-V,--verify,-K,--checksig} LR* | ^install^system LR*", 0, "rpm(8)"},
    {"scutil", "--get= --dns --proxy --nwi", "{--get,--dns,--proxy,--nwi} none | ^system .*", 0,
     "scutil(8)"},
    {"service", "%--version %-h,--help --status-all",
     "{--status-all} none | {2} ^system F . | ^system F .*", 0, "service(8); a name may be a path"},
    {"setpriv",
     "%-h,--help %-V,--version -d,--dump --no-new-privs !--nnp --reuid= --regid= --groups= --ruid= "
     "!--rgid= --euid= !--egid= --clear-groups --keep-groups --init-groups --reset-env --inh-caps= "
     "!--ambient-caps= --bounding-set= !--securebits= !--pdeathsig= !--selinux-label= "
     "!--apparmor-profile=",
     "{-d,--dump} none | I", EFFECT_PRIVILEGE, "setpriv(1), util-linux",
     .same = "--nnp,--no-new-privs"},
    {"shutdown", "", "@@data", EFFECT_SYSTEM, "shutdown(8)"},
    {"smartctl",
     "mixed %-h,--help %-V,--version -i,--info -H,--health -a,--all -x,--xall -A,--attributes "
     "-c,--capabilities --scan "
     "-j,--json -d,--device= -l,--log= -q,--quietmode=",
     "R*", 0, "smartctl(8)"},
    {"snap", "%-h,--help", "sub", 0, "snap(8)"},
    {"snap changes", "", ".", 0, "snap(8)"},
    {"snap find", "mixed --private --narrow --section?=", ".*", EFFECT_FETCH, "snap(8)"},
    {"snap info", "mixed --verbose --color= --unicode=", ".*", EFFECT_FETCH, "snap(8)"},
    {"snap install", "", "@@data", EFFECT_INSTALL | EFFECT_SYSTEM, "snap(8)"},
    {"snap list", "mixed --all --color= --unicode=", ".*", 0, "snap(8)"},
    {"snap refresh", "mixed --list", "{--list} ^fetch none | ^install^system .*", 0, "snap(8)"},
    {"snap remove", "", "@@data", EFFECT_SYSTEM | EFFECT_LOSS, "snap(8)"},
    {"snap services", "", ".*", 0, "snap(8)"},
    {"snap version", "", "none", 0, "snap(8)"},
    {"swapoff", "", "@@data", EFFECT_SYSTEM, "swapoff(8)"},
    {"swapon", "%-h,--help %-V,--version -s,--summary --show?= --noheadings --raw --bytes",
     "{-s,--summary,--show} none | ^system .*", 0, "swapon(8)"},
    {"sysctl",
     "mixed %-h,--help %-V,--version -a,-A,-X,--all -b,--binary -e,--ignore -N,--names -n,--values "
     "-r,--pattern= "
     "^system-w,--write ^system-p,--load?=R ^system-f ^system--system -q,--quiet",
     "@setting*", 0, "sysctl(8)"},
    {"system_profiler", "+long -listDataTypes -json -xml -detailLevel= -timeout=", ".*", 0,
     "system_profiler(8)"},
    {"systemctl",
     "global %-h,--help %--version --no-pager -l,--full -a,--all -t,--type= --state= "
     "-p,--property= -P= --value "
     "-q,--quiet --no-legend -n,--lines= -o,--output= --plain --failed -r,--recursive "
     "--reverse --after --before --user --system --no-ask-password --show-types -i "
     "--check-inhibitors= --timestamp= "
     "--no-block --now -f,--force --runtime --job-mode= -s,--signal= "
     "--kill-whom,--kill-who= --wait --no-reload --no-wall !-H,--host=N !-M,--machine= !--root= "
     "!--image=",
     "{0} none | sub", 0, SYSTEMCTL, .danger = DANGER_CONTROL},
    {"systemctl cat", "mixed", ".*", 0, SYSTEMCTL},
    {"systemctl daemon-reload", "mixed", "none", EFFECT_SYSTEM, SYSTEMCTL},
    {"systemctl disable", "=systemctl restart", "", 0, SYSTEMCTL},
    {"systemctl enable", "=systemctl restart", "", 0, SYSTEMCTL},
    {"systemctl get-default", "mixed", "none", 0, SYSTEMCTL},
    {"systemctl is-active", "=systemctl status", "", 0, SYSTEMCTL},
    {"systemctl is-enabled", "=systemctl status", "", 0, SYSTEMCTL},
    {"systemctl is-failed", "=systemctl status", "", 0, SYSTEMCTL},
    {"systemctl is-system-running", "=systemctl status", "", 0, SYSTEMCTL},
    {"systemctl kill", "mixed", ".*", EFFECT_PROCESS | EFFECT_SYSTEM, SYSTEMCTL},
    {"systemctl list-dependencies", "=systemctl status", "", 0, SYSTEMCTL},
    {"systemctl list-jobs", "=systemctl status", "", 0, SYSTEMCTL},
    {"systemctl list-sockets", "=systemctl status", "", 0, SYSTEMCTL},
    {"systemctl list-timers", "=systemctl status", "", 0, SYSTEMCTL},
    {"systemctl list-unit-files", "=systemctl status", "", 0, SYSTEMCTL},
    {"systemctl list-units", "=systemctl status", "", 0, SYSTEMCTL},
    {"systemctl mask", "=systemctl restart", "", 0, SYSTEMCTL},
    {"systemctl reload", "=systemctl restart", "", 0, SYSTEMCTL},
    {"systemctl restart", "mixed", ".*", EFFECT_SYSTEM | EFFECT_CODE, SYSTEMCTL},
    {"systemctl show", "mixed -p,--property=@unitprop -P=@unitprop --value",
     "{-p,-P} .* | ^secrets .*", 0, SYSTEMCTL},
    {"systemctl show-environment", "mixed", "none", EFFECT_SECRETS, SYSTEMCTL},
    {"systemctl start", "=systemctl restart", "", 0, SYSTEMCTL},
    {"systemctl status", "mixed", ".*", 0, SYSTEMCTL},
    {"systemctl stop", "=systemctl restart", "", 0, SYSTEMCTL},
    {"systemctl unmask", "=systemctl restart", "", 0, SYSTEMCTL},
    {"systemd-analyze", "%-h,--help %--version --no-pager --user --system",
     "{0} none | ^unknown .*", 0, "systemd-analyze(1)"},
    {"systemd-analyze blame", "", "none", 0, "systemd-analyze(1)"},
    {"systemd-analyze critical-chain", "", ".*", 0, "systemd-analyze(1)"},
    {"systemd-analyze time", "", "none", 0, "systemd-analyze(1)"},
    {"systemd-inhibit",
     "-h,--help --version --no-pager --no-legend --what= --who= --why= --mode= --list",
     "{--list} none | {0} none | I", EFFECT_SYSTEM, "systemd-inhibit(1)"},
    {"systemd-run",
     "!-h,--help !--version -d,--same-dir -G,--collect -P,--pipe -q,--quiet -r "
     "!--remain-after-exit "
     "-t,--pty -S,--shell --user --system --scope --wait -p,--property= -H= !--host=N -M= "
     "!--machine= -u,--unit= --slice= --uid= --gid= --working-directory=P --setenv= !-E= "
     "--description= !--no-ask-password !--slice-inherit !--no-block !--send-sighup "
     "!--service-type= !--nice= !--path-property= !--socket-property= !--on-active= !--on-boot= "
     "!--on-startup= !--on-unit-active= !--on-unit-inactive= !--on-calendar= !--on-timezone-change "
     "!--on-clock-change !--timer-property=",
     "{0} none | I", EFFECT_SYSTEM | EFFECT_CODE, "systemd-run(1)", .elsewhere = true},
    {"timedatectl",
     "%-h,--help %--version --no-pager -a,--all -p,--property= --value !-H,--host=N !-M,--machine=",
     "{0} none | ^system .*", 0, "timedatectl(1)"},
    {"timedatectl list-timezones", "mixed --no-pager", "none", 0, "timedatectl(1)"},
    {"timedatectl show", "mixed -a,--all -p,--property= --value", "none", 0, "timedatectl(1)"},
    {"timedatectl status", "mixed", "none", 0, "timedatectl(1)"},
    {"umount", "%-h,--help %-V,--version", "@@data", EFFECT_SYSTEM, "umount(8)"},
    {"update-alternatives", "%--help %--version --list= --display= --query= --get-selections",
     "{--list,--display,--query,--get-selections} none | ^system .*", 0, "update-alternatives(1)"},
    {"useradd", "%-h,--help", "@@data", EFFECT_SYSTEM, "useradd(8)"},
    {"userdel", "%-h,--help", "@@data", EFFECT_SYSTEM | EFFECT_LOSS, "userdel(8)"},
    {"usermod", "%-h,--help", "@@data", EFFECT_SYSTEM, "usermod(8)"},
    {"visudo", "%-h,--help %-V,--version", "@@data", EFFECT_PRIVILEGE | EFFECT_CODE, "visudo(8)"},
    {"yum", "=dnf", "", 0, "yum(8)"},
    {"zypper",
     "%-h,--help %-V,--version -q,--quiet -v,--verbose -n,--non-interactive --no-color -t,--terse "
     "-x,--xmlout "
     "--no-refresh !-R,--root= !-c,--config=F !-p,--plus-repo=N !-D,--reposd-dir=",
     "sub", 0, "zypper(8)"},
    {"zypper info", "mixed", ".*", EFFECT_FETCH, "zypper(8)"},
    {"zypper install", "", "@@data", EFFECT_INSTALL | EFFECT_SYSTEM, "zypper(8)"},
    {"zypper list-updates", "mixed", "none", EFFECT_FETCH, "zypper(8)"},
    {"zypper repos", "mixed -a,--alias -d,--details -u,--uri -p,--priority", ".*", 0, "zypper(8)"},
    {"zypper search",
     "mixed -i,--installed-only -u,--not-installed-only -s,--details -t,--type= "
     "-d,--search-descriptions "
     "-C,--case-sensitive -x,--match-exact",
     ".*", EFFECT_FETCH, "zypper(8)"},
};

extern const struct program_file rows_system;
const struct program_file rows_system = {"programs/rows/system.c", rows, COUNT(rows)};
