/* shell.c - builtins of the shell, shells, wrappers, processes, and what there is to know
 * about the machine.
 *
 * Sorted by name. What a column means is said in programs.h. @@data: whatever the words are, the
 * effects are those of the last columns. */
#include "programs/programs.h"

/* setarch after the name of an architecture. */
#define SETARCH                                                                                    \
    "!--help -B,--32bit -F,--fdpic-funcptrs -I,--short-inode -L,--addr-compat-layout "             \
    "-R,--addr-no-randomize -S,--whole-seconds -T,--sticky-timeouts -X,--read-implies-exec "       \
    "-Z,--mmap-page-zero -3,--3gb --4gb --uname-2.6 -v,--verbose"

static const struct program_row rows[] = {
    {".", "=source", "", 0, "bash(1)", .leaves_files = true},
    {":", "", "@@data", 0, "bash(1)", .leaves_files = true, .leaves_input = true,
     .prints = PRINTS_NOTHING},
    {"[", "", "@@test", 0, "bash(1): -v evaluates a subscript", .leaves_files = true,
     .leaves_input = true, .prints = PRINTS_NOTHING},
    {"alias", "-p", "{0} none | X*", 0, "bash(1)", .only_shells = true},
    {"apropos",
     "mixed -e,--exact -r,--regex -w,--wildcard -a,--and -l,--long -s,--sections,--section= "
     "-L,--locale= "
     "-m,--systems=",
     ".*", 0, "apropos(1)"},
    {"arch", GNU_OPTIONS, "none", 0, "GNU arch(1)"},
    {"ash", "=sh", "", 0, "busybox(1)"},
    {"at", "", "@@data", EFFECT_CODE | EFFECT_SYSTEM, "at(1)"},
    {"bash",
     "%--help %--version -c -l,--login -i -r,--restricted -s -e -u -x -v -n -o= -O= --norc "
     "--noprofile "
     "--posix --rcfile,--init-file=F",
     "{-c} S .* | {0} ^code | {-s} ^code .* | {-i} F .* | {-n} @noplus .* | Z .*", 0, "bash(1)",
     .leaves_files = true, .starts_plainly = true, .waits = true},
    {"batch", "", "@@data", EFFECT_CODE | EFFECT_SYSTEM, "batch(1)"},
    {"bg", "", ".*", 0, "bash(1)"},
    {"bind", "", "@@data", EFFECT_CODE, "bash(1): -x runs a command, -f reads a file",
     .only_shells = true},
    {"break", "", ".", 0, "bash(1)", .leaves_input = true, .prints = PRINTS_NOTHING},
    {"builtin", "", "{0} none | I", 0, "bash(1)", .transparent = true, .keeps_state = true,
     .only_shells = true},
    {"busybox", "", "@@data", EFFECT_CODE, "busybox(1): every applet under one name"},
    {"cal", "mixed number -1 -3 -s -m -y -j -w -h -n=", ". . .", 0, "cal(1)"},
    {"caller", "", ".", 0, "bash(1)"},
    {"catchsegv", "!--help !--version", "I", EFFECT_CODE,
     "catchsegv(1), glibc: it preloads a library"},
    {"cd", "-L -P -e -@", "{0} none | B", 0, "bash(1)", .leaves_files = true,
     .prints = PRINTS_NOTHING},
    {"chdir", "=cd", "", 0, "dash(1)"},
    {"choom", "abbrev %-h,--help %-V,--version -n,--adjust= -p,--pid=", "{-p} none | I",
     EFFECT_PROCESS, "choom(1), util-linux"},
    {"chronic", "-e -v", "I", EFFECT_CODE, "chronic(1), moreutils", .waits = true},
    {"chroot", "!--help !--version --skip-chdir --userspec= --groups=", "{1} . | . I",
     EFFECT_PRIVILEGE | EFFECT_CODE, "GNU chroot(1): without a command it starts a shell",
     .elsewhere = true},
    {"chrt",
     "abbrev %-h,--help %-V,--version -b,--batch -f,--fifo -i,--idle -o,--other -r,--rr -R "
     "!--reset-on-fork -a,--all-tasks -m !--max -p !--pid -v,--verbose !-d,--deadline "
     "!-T,--sched-runtime= !-P,--sched-period= !-D,--sched-deadline=",
     "{-m,--max} none | {-p,--pid} ^process . . | . I", 0, "chrt(1), util-linux",
     .same = "-R,--reset-on-fork -m,--max -p,--pid", .waits = true},
    {"clear", "-x -T= -V", "none", 0, "clear(1)"},
    {"command", "-p -v -V", "{-v,-V} .* | {0} none | I", 0, "bash(1)", .transparent = true,
     .keeps_state = true, .queries = "-v -V -pv -pV", .starts_plainly = true},
    {"compgen", "", "@@data", EFFECT_CODE, "bash(1): -C, -F and -W run commands",
     .only_shells = true},
    {"complete", "", "@@data", EFFECT_CODE, "bash(1): -C and -F run commands", .only_shells = true},
    {"compopt", "", "@@data", EFFECT_UNKNOWN, "bash(1)", .only_shells = true},
    {"continue", "", ".", 0, "bash(1)", .leaves_input = true, .prints = PRINTS_NOTHING},
    {"coreutils", "", "@@data", EFFECT_CODE, "coreutils(1)"},
    {"crontab", "-l -u=", "{-l} none | ^code^system F", 0, "crontab(1)"},
    {"csh", "", "@@data", EFFECT_CODE, "csh(1)"},
    {"dash", "=sh", "", 0, "dash(1)", .starts_plainly = true, .waits = true},
    {"date",
     "plus " GNU_OPTIONS "-d,--date= --debug !-f,--file=R -I?= --iso-8601?= --resolution "
     "-R,--rfc-email,--rfc-822 --rfc-3339= "
     "-r,--reference=R ^system-s,--set= -u,--utc,--universal -j -v=",
     "{0} none | ^system .", 0, "GNU date(1); -f prints the lines of a file that are no dates",
     .leaves_input = true},
    {"declare", "plus -a -A -f -F -g -I -l -r -t -u -x ^secrets-p !-i !-n",
     "{-f,-F} .* | {0} ^secrets | V*", 0, "bash(1): -i and -n evaluate expressions",
     .prints = PRINTS_WORDS, .also = "typeset"},
    {"dircolors",
     GNU_OPTIONS "-b,--sh,--bourne-shell -c,--csh,--c-shell -p,--print-database --print-ls-colors",
     "R", 0, "GNU dircolors(1)"},
    {"dirs", "number plus -c -l -p -v", "none", 0, "bash(1)"},
    {"disown", "-a -h -r", ".*", 0, "bash(1)"},
    {"doas", "-n !-s -L -u= -C=F !-a=", "{-L} none | {0} ^code | I", EFFECT_PRIVILEGE, "doas(1)",
     .meant = "privilege"},
    {"eatmydata", "", "I", EFFECT_CODE, "eatmydata(1): it preloads a library"},
    {"echo", "", "@@data", 0, "GNU echo(1), bash(1)", .leaves_files = true, .leaves_input = true,
     .prints = PRINTS_WORDS},
    {"enable", "", "@@data", EFFECT_CODE, "bash(1): -f loads a shared object", .only_shells = true},
    {"entr", "-a -c -d -n -p -r -s -x -z", "{-s} S .* | {0} none | I", EFFECT_CODE,
     "entr(1): runs it again whenever a file changes"},
    {"env",
     "abbrev assigns %--help %--version -i,--ignore-environment -0,--null -u,--unset= -C,--chdir=P "
     "-S,--split-string=X -v,--debug --block-signal?= --default-signal?= --ignore-signal?= "
     "!--list-signal-handling",
     "{0} ^secrets none | I", 0, "GNU env(1)", .transparent = true, .only_bare = true,
     .starts_plainly = true},
    {"envsubst", "", "@@data", EFFECT_SECRETS, "envsubst(1)"},
    {"eval", "", "S*", 0, "bash(1)", .only_shells = true, .waits = true},
    {"exec", "-a= -c -l", "{0} none | I", 0, "bash(1)", .keeps_state = true, .starts_plainly = true,
     .only_shells = true, .waits = true},
    {"exit", "", "@@data", 0, "bash(1): complains of what is no number", .leaves_input = true,
     .prints = PRINTS_NOTHING},
    {"export", "-f -n ^secrets-p", "{-f} .* | {0} ^secrets | V*", 0, "bash(1)",
     .prints = PRINTS_WORDS},
    {"fakeroot",
     "!-h,--help !-v,--version -l,--lib=F --faked=F !-f=F -s=W !-i=R !-u,--unknown-is-real "
     "!-b,--fd-base=",
     "{0} none | I", EFFECT_CODE,
     "fakeroot(1): preloads a library; without a command it starts a shell", .waits = true},
    {"false", "", "@@data", 0, "GNU false(1), bash(1)", .leaves_files = true, .leaves_input = true,
     .prints = PRINTS_NOTHING},
    {"fc", "", "@@data", EFFECT_SECRETS | EFFECT_CODE,
     "bash(1): runs an editor and then what it wrote", .only_shells = true},
    {"fg", "", ".*", 0, "bash(1)"},
    {"fish", "", "@@data", EFFECT_CODE, "fish(1)"},
    {"flock",
     "abbrev %-h,--help %-V,--version -s,--shared -x,-e,--exclusive -u,--unlock -n,--nonblock "
     "!--nb -w,--timeout,--wait= -E,--conflict-exit-code= -o,--close -F,--no-fork -c=S "
     "!--command=S --verbose",
     "{-c,--command} W | {1} . | {2:-c,2:--command} W . S | W I", 0, "flock(1), util-linux",
     .same = "-c,--command", .waits = true},
    {"free",
     "mixed abbrev %--help %-V,--version -b,--bytes --kilo --mega --giga --tera --peta -k,--kibi "
     "-m,--mebi "
     "-g,--gibi --tebi --pebi -h,--human --si -l,--lohi -t,--total -v,--committed -s,--seconds= "
     "-c,--count= "
     "-w,--wide",
     "none", 0, "free(1), procps 4"},
    {"fuser", "", "@@data", EFFECT_PROCESS, "fuser(1): -k kills"},
    {"gdb", "", "@@data", EFFECT_CODE | EFFECT_PROCESS, "gdb(1): -ex and .gdbinit run commands",
     .same = "--silent,--quiet"},
    {"getconf", "-a -v=@name", ". .", 0, "getconf(1); -v ../x runs it"},
    {"getopts", "", ". V .*", 0, "bash(1)"},
    {"gosu", "--help --version", ". I", EFFECT_PRIVILEGE, "gosu 1.17, its --help"},
    {"groups", GNU_OPTIONS, ".*", 0, "GNU groups(1)"},
    {"gtimeout",
     "abbrev !--help !--version --preserve-status --foreground -k,--kill-after= -s,--signal= "
     "-v,--verbose",
     ". I", EFFECT_CODE, "GNU timeout(1) under the name that Homebrew gives it",
     .transparent = true},
    {"hash", "-r -l -d -t -p=X", ".*", 0, "bash(1): -p says which file a name runs from now on",
     .only_shells = true},
    {"help", "-d -m -s", ".*", 0, "bash(1)"},
    {"history", "", "@@data", EFFECT_SECRETS | EFFECT_UNKNOWN,
     "bash(1): prints what was typed; -w and -a write a file"},
    {"hostid", GNU_OPTIONS, "none", 0, "GNU hostid(1)"},
    {"hostname",
     "%-h,--help %-V,--version -a,--alias -A,--all-fqdns -d,--domain -f,--fqdn,--long "
     "-i,--ip-address "
     "-I,--all-ip-addresses -s,--short -y,--yp,--nis ^system-b,--boot ^system-F,--file=R",
     "{0} none | ^system .", 0, "hostname(1)"},
    {"hostnamectl", "", "{bare} | ^system .*", 0, "hostnamectl(1)"},
    {"i386", "=linux32", "", 0, "setarch(8)"},
    {"id",
     GNU_OPTIONS "-a -Z,--context -g,--group -G,--groups -n,--name -r,--real -u,--user -z,--zero",
     ".*", 0, "GNU id(1)"},
    {"ionice",
     "abbrev %-h,--help %-V,--version -c,--class= -n,--classdata= !-p,--pid= !-P,--pgid= "
     "-t,--ignore !-u,--uid=",
     "{-p,-P,-u} ^process .* | {0} none | I", 0, "ionice(1), util-linux", .starts_plainly = true,
     .waits = true},
    {"jobs", "-l -n -p -r -s", ".*", 0, "bash(1)"},
    {"kill", "", "@@data", EFFECT_PROCESS, "bash(1), kill(1)", .signals = true},
    {"killall", "", "@@data", EFFECT_PROCESS, "killall(1)", .signals = true},
    {"ksh", "", "@@data", EFFECT_CODE, "ksh(1)"},
    {"ksh93", "", "@@data", EFFECT_CODE, "ksh(1)"},
    {"let", "", "X*", 0, "bash(1): evaluates expressions, whose subscripts run commands"},
    {"linux32", "!-h,--help !-V,--version", "{0} none | I", EFFECT_CODE, "setarch(8)"},
    {"linux64", "=linux32", "", 0, "setarch(8)"},
    {"local", "=declare", "", 0, "bash(1)"},
    {"locale",
     "mixed abbrev %-?,--help %-V,--version -a,--all-locales -m,--charmaps -c,--category-name "
     "-k,--keyword-name -v,--verbose",
     ".*", 0, "locale(1)"},
    {"logname", GNU_OPTIONS, "none", 0, "GNU logname(1)"},
    {"logout", "number", ".", 0, "bash(1)"},
    {"lsb_release",
     "mixed %-h,--help -v,--version -i,--id -d,--description -r,--release -c,--codename -a,--all "
     "-s,--short",
     "none", 0, "lsb_release(1)"},
    {"lsblk",
     "mixed abbrev %-h,--help %-V,--version -a,--all -b,--bytes -d,--nodeps -f,--fs -i,--ascii "
     "-J,--json "
     "-l,--list -m,--perms -n,--noheadings -o,--output= -O,--output-all -p,--paths -P,--pairs "
     "-r,--raw "
     "-S,--scsi -t,--topology -T,--tree?=",
     ".*", 0, "lsblk(8)"},
    {"lscpu",
     "mixed abbrev %-h,--help %-V,--version -a,--all -b,--online -B,--bytes -c,--offline "
     "-C,--caches?= "
     "-e,--extended?= -J,--json -p,--parse?= -x,--hex -y,--physical",
     "none", 0, "lscpu(1)"},
    {"lsmod", "", "none", 0, "lsmod(8)"},
    {"lsof",
     "mixed plus %-h,-? -a -b -C -c= -d= -F?= -g?= -i?=@peer -l -n -N -O -o -P -p= -Q -R -s?= -S?= "
     "-t -T?= -u= -U "
     "-v -V -w -X -x?=",
     "{-i} @peer* | R*", 0, "lsof(8); -i may take the next word"},
    {"lspci", "-v -vv -n -nn -k -t -mm", "none", 0, "lspci(8)"},
    {"lsusb", "-v -t", "none", 0, "lsusb(8)"},
    {"ltrace",
     "-c -C -f -h -i -L -r -S -t -T -b -V -a= -A= -e= -D= -l= -n= -o=W -p= -s= -u= -w= -x= -X=",
     "{0} none | I", EFFECT_CODE | EFFECT_PROCESS, "ltrace(1)"},
    {"man",
     "mixed abbrev %-?,--help %--usage %-V,--version -f,--whatis -k,--apropos -K,--global-apropos "
     "-w,--where,--path,--location -W,--where-cat,--location-cat -a,--all -s,-S,--sections= "
     "-L,--locale= "
     "-m,--systems= -e,--extension= -i,--ignore-case -I,--match-case --regex --wildcard "
     "--names-only "
     "--no-subpages -7,--ascii -E,--encoding= --no-hyphenation,--nh --no-justification,--nj "
     "-d,--debug "
     "-r,--prompt= -P,--pager=X -H,--html?=X -C,--config-file=F !-M,--manpath=R !-l,--local-file "
     "!-t,--troff "
     "!-T,--troff-device?= !-X,--gxditview?= !-Z,--ditroff !-p,--preprocessor= !-R,--recode= "
     "!-u,--update "
     "!-c,--catman !-D,--default",
     "@page*", 0,
     "man(1), man-db 2.11; an operand with a slash is a file, which may name others (.so)"},
    {"mapfile", "-d= -n= -O= -s= -t -u= -C=X -c=", "V", 0, "bash(1)", .only_shells = true,
     .prints = PRINTS_NOTHING},
    {"mksh", "", "@@data", EFFECT_CODE, "ksh(1)"},
    {"newgrp", "", "@@data", EFFECT_PRIVILEGE | EFFECT_CODE, "newgrp(1)"},
    {"nice", "abbrev number %--help %--version -n,--adjustment=", "{0} none | I", 0, "GNU nice(1)",
     .transparent = true, .starts_plainly = true},
    {"nohup", "%--help %--version", "I", 0, "GNU nohup(1)", .transparent = true,
     .starts_plainly = true},
    {"nproc", GNU_OPTIONS "--all --ignore=", "none", 0, "GNU nproc(1)"},
    {"nsenter",
     "-h,--help -V,--version -a,--all -t,--target= -m,--mount?= -u,--uts?= -i,--ipc?= -n,--net?= "
     "-p,--pid?= -C,--cgroup?= -U,--user?= -T,--time?= -S,--setuid= -G,--setgid= "
     "--preserve-credentials -r,--root?= -w,--wd?= !-W,--wdns= -F,--no-fork -Z,--follow-context",
     "{0} none | I", EFFECT_PRIVILEGE | EFFECT_CODE,
     "nsenter(1), util-linux: without a command it starts a shell", .elsewhere = true},
    {"numactl",
     "-H,-s -l,--localalloc -C,--physcpubind= -N,--cpunodebind= -m,--membind= -i,--interleave= "
     "-p,--preferred=",
     "{0} none | I", EFFECT_PROCESS, "numactl(8)"},
    {"parallel",
     "--help --version !-j,-P,--jobs= !-k,--keep-order !-n,-N,--max-args= !-L,-l,--max-lines= "
     "!-I=O !-0,--null !-a,--arg-file=R !-C,--colsep= !-q,--quote !-t,--verbose !-v !-X !-m "
     "!-u,--ungroup !--dry-run !--delay= !--retries= !--timeout= !--joblog=W !--halt= !--tag "
     "!--bar !--eta !--progress !--pipe !--will-cite !--line-buffer !-S,--sshlogin=N",
     "{0} none | S*", EFFECT_CODE, "parallel(1)", .appends = true},
    {"perf", "", "@@data", EFFECT_CODE | EFFECT_PROCESS, "perf(1)"},
    {"pgrep",
     "mixed abbrev %-h,--help %-V,--version -d,--delimiter= -l,--list-name -a,--list-full "
     "-v,--inverse "
     "-w,--lightweight -c,--count -f,--full -g,--pgroup= -G,--group= -i,--ignore-case -n,--newest "
     "-o,--oldest "
     "-O,--older= -P,--parent= -s,--session= -t,--terminal= -u,--euid= -U,--uid= -x,--exact "
     "-F,--pidfile=R "
     "-L,--logpidfile -r,--runstates= -A,--ignore-ancestors --cgroup= --ns= --nslist=",
     ".", 0, "pgrep(1), procps 4"},
    {"pidof", "-s -c -q -w -x -z -o= -t -S=", ".*", 0, "pidof(1)"},
    {"pinky", GNU_OPTIONS "-l -b -h -p -s -f -w -i -q", ".*", 0, "GNU pinky(1)"},
    {"pkexec", "!--help !--version --disable-internal-agent --keep-cwd --user=", "{0} none | I",
     EFFECT_PRIVILEGE | EFFECT_CODE, "pkexec(1)", .elsewhere = true},
    {"pkill", "", "@@data", EFFECT_PROCESS, "pkill(1)", .signals = true},
    {"popd", "number plus -n", "none", 0, "bash(1)"},
    {"printenv", "-0,--null %--help %--version", ".*", EFFECT_SECRETS, "GNU printenv(1)"},
    {"printf", "", "@@printf", 0, "bash(1): -v evaluates a subscript", .leaves_files = true,
     .leaves_input = true, .prints = PRINTS_WORDS},
    {"prlimit",
     "!-h,--help !-V,--version --verbose --raw --noheadings !-o,--output= !-p,--pid= !-c,--core?= "
     "!-d,--data?= !-e,--nice?= !-f,--fsize?= !-i,--sigpending?= !-l,--memlock?= !-m,--rss?= "
     "!-n,--nofile?= !-q,--msgqueue?= !-r,--rtprio?= !-s,--stack?= !-t,--cpu?= !-u,--nproc?= "
     "!-v,--as?= !-x,--locks?= !-y,--rttime?=",
     "{0} none | I", EFFECT_PROCESS | EFFECT_CODE, "prlimit(1), util-linux"},
    {"proxychains", "-q -f=R", "I", EFFECT_NETWORK, "proxychains(1)"},
    {"proxychains4", "=proxychains", "", 0, "proxychains(1)"},
    {"ps",
     "mixed number %--help?= %-V,--version -A -a -d -e -N,--deselect -f -F -j -l -y -c -H -L -T -m "
     "-M -P -w "
     "-Z -C= -G,--Group= -g,--group= -p,--pid= --ppid= -q,--quick-pid= -s,--sid= -t,--tty= "
     "-U,--User= -u=@ps "
     "--user= -o,--format= -O= -n= --context --cols,--columns,--width= --cumulative --forest "
     "--headers "
     "--no-headers,--no-heading --info --lines,--rows= --sort=",
     "@ps*", 0, "ps(1), procps 4"},
    {"pstree",
     "mixed abbrev -a,--arguments -A,--ascii -c,--compact-not -C,--color= -g,--show-pgids "
     "-h,--highlight-all "
     "-H,--highlight-pid= -l,--long -n,--numeric-sort -N,--ns-sort= -p,--show-pids "
     "-s,--show-parents "
     "-S,--ns-changes -t,--thread-names -T,--hide-threads -u,--uid-changes -U,--unicode "
     "-V,--version",
     ".*", 0, "pstree(1)"},
    {"pushd", "number plus -n", "{0} none | B", 0, "bash(1)"},
    {"pwd", "-L,--logical -P,--physical %--help %--version", "none", 0, "bash(1), GNU pwd(1)",
     .leaves_files = true, .leaves_input = true},
    {"rbash", "", "@@data", EFFECT_CODE, "bash(1)"},
    {"read", "-r -s -e -a=V -d= -i= -n= -N= -p= -t= -u=", "V*", 0, "bash(1)",
     .prints = PRINTS_NOTHING},
    {"readarray", "=mapfile", "", 0, "bash(1)"},
    {"readonly", "-a -A -f -p", "{-f} .* | {0} ^secrets | V*", 0, "bash(1)"},
    {"renice", "", "@@data", EFFECT_PROCESS, "renice(1)"},
    {"reset", "", "none", 0, "reset(1)"},
    {"return", "", "@@data", 0, "bash(1): complains of what is no number", .leaves_input = true,
     .prints = PRINTS_NOTHING},
    {"rlwrap",
     "-a -A -c -i -I !-l=W -m -n -N -o -p -r -R !-s= -b= -C= -D= -f=R !-F= -H=W -P= -q= -S= -t= "
     "!-T= -w= "
     "-z=X",
     "I", EFFECT_CODE, "rlwrap(1)"},
    {"run-parts", "", "@@data", EFFECT_CODE, "run-parts(8)", .runs_found = true},
    {"run0",
     "-h,--help --version --no-ask-password -u,--user= -g,--group= --nice= -D,--chdir=P --setenv= "
     "--background= --pty --pipe --property= --slice= --slice-inherit --unit= --description= "
     "--shell-prompt-prefix= !--machine=",
     "{0} none | I", EFFECT_PRIVILEGE, "run0(1), systemd 257: without a command it starts a shell",
     .elsewhere = true},
    {"runcon", "--help --version -c,--compute -t,--type= -u,--user= -r,--role= -l,--range=",
     "{-c,-t,-u,-r,-l} I | {0} none | . I", EFFECT_PRIVILEGE | EFFECT_CODE, "GNU runcon(1)"},
    {"runuser", "", "@@data", EFFECT_PRIVILEGE | EFFECT_CODE, "runuser(1)",
     .same = "-m,--preserve-environment -p,--preserve-environment"},
    {"s6-setuidgid", "", ". I", EFFECT_PRIVILEGE, "s6-setuidgid, skarnet.org"},
    {"script", "", "@@data", EFFECT_CODE | EFFECT_UNKNOWN,
     "script(1): runs a shell, writes a typescript"},
    {"set", "plus !-a -b -e -f -h !-k -m -n !-p -t -u -v -x -B -C -E -H -P -T -o=",
     "{bare} ^secrets | .*", 0, "bash(1)", .prints = PRINTS_NOTHING},
    {"setarch", "!--help -B -F -I -L -R -S -T -X -Z -3 -v !--list",
     "{0} none | {-B,-F,-I,-L,-R,-S,-T,-X,-Z,-3,-v} ^unknown I | . I", EFFECT_CODE,
     "setarch(8): the architecture may be left out"},
    {"setarch aarch64", SETARCH, "{0} none | I", EFFECT_CODE, "setarch(8)"},
    {"setarch arm", SETARCH, "{0} none | I", EFFECT_CODE, "setarch(8)"},
    {"setarch arm64", SETARCH, "{0} none | I", EFFECT_CODE, "setarch(8)"},
    {"setarch i386", SETARCH, "{0} none | I", EFFECT_CODE, "setarch(8)"},
    {"setarch i486", SETARCH, "{0} none | I", EFFECT_CODE, "setarch(8)"},
    {"setarch i586", SETARCH, "{0} none | I", EFFECT_CODE, "setarch(8)"},
    {"setarch i686", SETARCH, "{0} none | I", EFFECT_CODE, "setarch(8)"},
    {"setarch linux32", SETARCH, "{0} none | I", EFFECT_CODE, "setarch(8)"},
    {"setarch linux64", SETARCH, "{0} none | I", EFFECT_CODE, "setarch(8)"},
    {"setarch x86_64", SETARCH, "{0} none | I", EFFECT_CODE, "setarch(8)"},
    {"setsid", "abbrev %-h,--help %-V,--version -c,--ctty -f,--fork -w,--wait", "I", 0,
     "setsid(1), util-linux"},
    {"setuidgid", "", ". I", EFFECT_PRIVILEGE, "setuidgid(8), daemontools"},
    {"sg", "", "@@data", EFFECT_PRIVILEGE | EFFECT_CODE, "sg(1)"},
    {"sh", "-c -l -i -s -e -u -x -v -n -f -o=",
     "{-c} S .* | {0} ^code | {-s} ^code .* | {-i} F .* | {-n} @noplus .* | Z .*", 0, "dash(1)",
     .leaves_files = true, .starts_plainly = true, .waits = true, .also = "dash,ash"},
    {"shift", "", ".", 0, "bash(1)", .prints = PRINTS_NOTHING},
    {"shopt", "!-s !-u -p -q -o", ".*", 0, "bash(1): some change how later text is read"},
    {"skill", "", "@@data", EFFECT_PROCESS, "skill(1)"},
    {"sleep", GNU_OPTIONS, ".*", 0, "GNU sleep(1)", .leaves_files = true, .leaves_input = true,
     .prints = PRINTS_NOTHING},
    {"source", "", "F .*", EFFECT_CODE, "bash(1)", .leaves_files = true, .only_shells = true,
     .also = "."},
    {"stdbuf", "abbrev %--help %--version -i,--input= -o,--output= -e,--error=", "I", 0,
     "GNU stdbuf(1)", .transparent = true, .starts_plainly = true},
    {"strace",
     "!--help !--version -c -C -d -f,--follow-forks -F -h -i -k -n -q -r -t -T -v -V -w -x -y -z "
     "-Z "
     "-a= -b= -e,--trace= -E= -I= -o,--output=@nobar -O= -p= -P= -s= -S= -u= -U= -X=",
     "{0} none | I", EFFECT_CODE | EFFECT_PROCESS,
     "strace(1): -o runs its value when that begins with a bar", .same = "-V,--version"},
    {"stty", GNU_OPTIONS "-a,--all -g,--save !-F,--file=R", "{0} none | ^process .*", 0,
     "GNU stty(1)"},
    {"su", "", "@@data", EFFECT_PRIVILEGE | EFFECT_CODE, "su(1)",
     .same = "-m,--preserve-environment -p,--preserve-environment"},
    {"su-exec", "", ". I", EFFECT_PRIVILEGE, "su-exec, its usage"},
    {"sudo",
     "assigns -A,--askpass -b,--background -E -H,--set-home -n,--non-interactive -P "
     "!--preserve-groups -S,--stdin -k !--reset-timestamp -K !--remove-timestamp -v !--validate -l "
     "!--list !-i,--login !-s,--shell -u,--user= -g,--group= -p,--prompt= -C= -D,--chdir=P -h= "
     "!--host= -R= !--chroot= -T= -U= !-r,--role= !-t,--type= --preserve-env?= !-e,--edit %--help "
     "%-V,--version",
     "{0} none | I", EFFECT_PRIVILEGE, "sudo(8)", .meant = "privilege"},
    {"sudoedit", "", "@@data", EFFECT_PRIVILEGE | EFFECT_UNKNOWN, "sudo(8)"},
    {"suspend", "", "@@data", EFFECT_PROCESS, "bash(1)"},
    {"sw_vers", "+long -productName -productVersion -buildVersion", "none", 0, "sw_vers(1)"},
    {"taskset", "abbrev %-h,--help %-V,--version -a,--all-tasks !-p,--pid -c,--cpu-list",
     "{-p} ^process .* | . I", 0, "taskset(1), util-linux", .waits = true},
    {"tcsh", "", "@@data", EFFECT_CODE, "tcsh(1)"},
    {"test", "", "@@test", 0, "bash(1): -v evaluates a subscript", .leaves_files = true,
     .leaves_input = true, .prints = PRINTS_NOTHING},
    {"time",
     "abbrev %--help %-V,--version -a,--append -f,--format= -o,--output=W -p,--portability "
     "-q,--quiet -v,--verbose",
     "{0} none | I", 0, "GNU time(1)", .transparent = true, .only_bare = true,
     .starts_plainly = true},
    {"timeout",
     "abbrev %--help %--version --preserve-status --foreground -k,--kill-after= -s,--signal= "
     "-v,--verbose",
     ". I", 0, "GNU timeout(1)", .transparent = true, .starts_plainly = true},
    {"times", "", "none", 0, "bash(1)"},
    {"top",
     "%-h,--help %-V,--version -b,--batch-mode -c,--cmdline-toggle -d,--delay= "
     "-E,--scale-summary-mem= "
     "-e,--scale-task-mem= -H,--threads-show -i,--idle-toggle -n,--iterations= -O,--list-fields "
     "-o,--sort-override= -p,--pid= -S,--accum-time-toggle -s,--secure-mode -U,--filter-any-user= "
     "-u,--filter-only-euser= -w,--width?= -1,--single-cpu-toggle",
     "{-b} none | ^unknown none", 0,
     "top(1), procps 4; without -b it can send signals and writes its settings"},
    {"torsocks", "", "{0} none | I", EFFECT_NETWORK, "torsocks(1)"},
    {"toybox", "", "@@data", EFFECT_CODE, "toybox(1)"},
    {"tput", "-T= -S", ".*", 0, "tput(1)"},
    {"trap", "-l -p", "{-l,-p} .* | {0} none | {1} . | S .*", 0, "bash(1)", .only_shells = true},
    {"true", "", "@@data", 0, "GNU true(1), bash(1)", .leaves_files = true, .leaves_input = true,
     .prints = PRINTS_NOTHING},
    {"tty", GNU_OPTIONS "-s,--silent,--quiet", "none", 0, "GNU tty(1)"},
    {"type", "-a -f -t -p -P", ".*", 0, "bash(1)"},
    {"typeset", "=declare", "", 0, "bash(1)"},
    {"ulimit", "-a -S -H -b -c -d -e -f -i -k -l -m -n -p -q -r -s -t -u -v -x -P -R -T",
     "{0} none | ^process .*", 0, "bash(1)"},
    {"umask", "-p -S", "{0} none | ^process .", 0, "bash(1)"},
    {"unalias", "-a", ".*", 0, "bash(1)"},
    {"uname",
     GNU_OPTIONS
     "-a,--all -s,--kernel-name -n,--nodename -r,--kernel-release -v,--kernel-version -m,--machine "
     "-p,--processor -i,--hardware-platform -o,--operating-system",
     "none", 0, "GNU uname(1)"},
    {"uname26", "=linux32", "", 0, "setarch(8)"},
    {"unbuffer", "-p", "I", EFFECT_CODE, "unbuffer(1), expect", .waits = true},
    {"unset", "-f -v !-n", "{-f} .* | V*", 0, "bash(1)", .prints = PRINTS_WORDS},
    {"unshare",
     "!-h,--help !-V,--version -c,--map-current-user -C,--cgroup -f,--fork -i,--ipc -m,--mount "
     "-n,--net -p,--pid -r,--map-root-user -T -u,--uts -U,--user --mount-proc -R,--root= "
     "-S,--setuid= -G,--setgid= -w,--wd= !--time !--map-user= !--map-group= !--map-auto "
     "!--map-users= !--map-groups= !--kill-child?= !--propagation= !--setgroups= !--keep-caps "
     "!--monotonic= !--boottime=",
     "{0} none | I", EFFECT_PRIVILEGE | EFFECT_CODE,
     "unshare(1), util-linux: without a command it starts a shell", .elsewhere = true,
     .same = "-T,--time"},
    {"uptime", "%-h,--help %-V,--version -p,--pretty -s,--since", "none", 0, "uptime(1)"},
    {"users", GNU_OPTIONS, "R", 0, "GNU users(1)"},
    {"uuidgen", "mixed -r,--random -t,--time", "none", 0, "uuidgen(1)"},
    {"valgrind", "", "@@data", EFFECT_CODE | EFFECT_UNKNOWN, "valgrind(1)"},
    {"vmstat",
     "%-h,--help %-V,--version -a,--active -f,--forks -m,--slabs -n,--one-header -s,--stats "
     "-d,--disk "
     "-D,--disk-sum -S,--unit= -t,--timestamp -w,--wide",
     ". .", 0, "vmstat(8)"},
    {"w",
     "mixed %--help %-V,--version -h,--no-header -u,--no-current -s,--short -f,--from "
     "-o,--old-style "
     "-i,--ip-addr",
     ".", 0, "w(1)"},
    {"wait", "-f -n -p=V", ".*", 0, "bash(1)", .prints = PRINTS_WORDS},
    {"watch",
     "!-h,--help -b,--beep -c,--color -d,--differences -e,--errexit -g,--chgexit -t,--no-title -w "
     "!--no-wrap -x,--exec !-p --precise -n,--interval= -q= !--equexit= !-v,--version",
     "{0} none | S*", EFFECT_CODE, "watch(1): its words become one text for sh -c, again and again",
     .same = "-w,--no-wrap -q,--equexit -p,--precise"},
    {"whatis",
     "mixed -r,--regex -w,--wildcard -l,--long -s,--sections,--section= -L,--locale= -m,--systems=",
     ".*", 0, "whatis(1)"},
    {"whereis", "-b -m -s -u -l -f -B -M -S", ".*", 0, "whereis(1)"},
    {"which", "-a -s", ".*", 0, "which(1), Debian"},
    {"who",
     GNU_OPTIONS "-a,--all -b,--boot -d,--dead -H,--heading --ips -l,--login --lookup -m "
                 "-p,--process -q,--count "
                 "-r,--runlevel -s,--short -t,--time -T,-w,--mesg,--message,--writable -u,--users",
     "{2} . . | R", 0, "GNU who(1)"},
    {"whoami", GNU_OPTIONS, "none", 0, "GNU whoami(1)"},
    {"x86_64", "=linux32", "", 0, "setarch(8)"},
    {"xargs",
     "abbrev %--help %--version %--show-limits -0,--null -a,--arg-file=R -d,--delimiter= -E= !-e?= "
     "--eof?= -I=O -i,--replace?=O -L= -l,--max-lines?= -n,--max-args= -o,--open-tty "
     "-P,--max-procs= -p,--interactive --process-slot-var= -r,--no-run-if-empty -s,--max-chars= "
     "-t,--verbose -x,--exit",
     "{0} none | I", 0, "GNU xargs(1)", .appends = true, .by_line = "-0 -r -t -n -n1 -P -I -I{} {}",
     .starts_plainly = true, .same = "-L,--max-lines -e,--eof"},
    {"xvfb-run",
     "-a,--auto-servernum -l,--listen-tcp -e,--error-file=W -f,--auth-file=W -n,--server-num= "
     "-p,--xauth-protocol= -s,--server-args= -w,--wait=",
     "I", EFFECT_CODE | EFFECT_PROCESS, "xvfb-run(1)", .waits = true},
    {"yash", "", "@@data", EFFECT_CODE, "yash(1)"},
    {"yes", "%--help %--version", ".*", 0, "GNU yes(1)"},
    {"zsh", "", "@@data", EFFECT_CODE, "zsh(1): reads its text in another way than bash",
     .starts_plainly = true},
};

extern const struct program_file rows_shell;
const struct program_file rows_shell = {"programs/rows/shell.c", rows, COUNT(rows)};
