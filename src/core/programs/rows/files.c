/* files.c - programs that look at, make, move, remove and pack files.
 *
 * Sorted by name. What a column means is said in programs.h. */
#include "programs/programs.h"

/* clang-format off */
static const struct program_row rows[] = {
    {"7z", "%--help %-h", "{0} none | sub", 0, "7z(1)", .brings = BRINGS_ARCHIVE},
    {"7z a", "", "W r*", EFFECT_UNKNOWN, "7z(1)", .names_in = "@ -i@ -ir@"},
    {"7z b", "+long mixed -mmt?= -mm?= -md?=", ".*", 0, "7z(1)"},
    {"7z d", "", "W .*", EFFECT_UNKNOWN, "7z(1)", .names_in = "@ -i@ -ir@"},
    {"7z e", "+long mixed -o?=w -y -aoa -aos -aou -p?= -bd -r", "{-o} @input .* | @input .* cwd=w",
     0, "7z(1)", .names_in = "@ -i@ -ir@"},
    {"7z h", "+long mixed -scrc?= -r -bd -ba", "@input*", 0, "7z(1)", .names_in = "@ -i@ -ir@"},
    {"7z i", "", "none", 0, "7z(1)"},
    {"7z l", "+long mixed -slt -ba -p?= -r", "@input .*", 0, "7z(1)", .names_in = "@ -i@ -ir@"},
    {"7z t", "+long mixed -p?= -r -bd", "@input .*", 0, "7z(1)", .names_in = "@ -i@ -ir@"},
    {"7z u", "", "W r*", EFFECT_UNKNOWN, "7z(1)", .names_in = "@ -i@ -ir@"},
    {"7z x", "+long mixed -o?=w -y -aoa -aos -aou -p?= -bd -r", "{-o} @input .* | @input .* cwd=w",
     0, "7z(1)", .names_in = "@ -i@ -ir@"},
    {"7za", "=7z", "", 0, "7z(1)"},
    {"7zr", "=7z", "", 0, "7z(1)"},
    {"7zz", "=7z", "", 0, "7z(1)"},
    {"basename", "", "@@data", 0, "GNU basename(1): whatever its words are, it only prints",
     .leaves_input = true},
    {"bsdtar", "", "^unknown .*", 0, "bsdtar(1): @archive operands, -s, --use-compress-program",
     .brings = BRINGS_ARCHIVE, .also = "tar", .names_in = "-T --files-from"},
    {"bunzip2", "=bzip2", "", 0, "bunzip2(1)"},
    {"bzcat", "mixed -s,--small", "R*", 0, "bzcat(1)"},
    {"bzip2",
     "mixed abbrev %-h,--help %-V,--version -d,--decompress -z,--compress -k,--keep -f,--force "
     "-t,--test -c,--stdout -q,--quiet -v,--verbose -L,--license -s,--small -1,--fast -2 -3 -4 -5 "
     "-6 -7 -8 -9,--best",
     "{-c} R* | {-d,-z} {0} none | {-d,-z} ^unknown RWD* | {-t} R* | {0} none | ^unknown RWD*", 0,
     "bzip2(1): the last of -t, -d and -z counts", .set_by = "BZIP*"},
    {"chcon",
     GNU_OPTIONS
     "--dereference -h,--no-dereference -u,--user= -r,--role= -t,--type= -l,--range= "
     "--no-preserve-root --preserve-root --reference=R -R,--recursive -v,--verbose -H -L -P",
     "^system w*", 0, "GNU chcon(1)"},
    {"chgrp",
     GNU_OPTIONS
     "-c,--changes -f,--silent,--quiet -v,--verbose --dereference -h,--no-dereference "
     "--no-preserve-root --preserve-root --reference=R -R,--recursive -H -L -P",
     "{-R} {--reference} w* | {-R} . w* | {--reference} W* | . W*", EFFECT_SYSTEM, "GNU chgrp(1)",
     .on_itself = true, .danger = DANGER_REMOVAL,
     .writes_no_text = true},
    {"chmod",
     GNU_OPTIONS
     "-c,--changes -f,--silent,--quiet -v,--verbose --no-preserve-root --preserve-root "
     "--reference=R -R,--recursive -r?= -w?= -x?= -X?= -s?= -t?= -u?= -g?= -o?= -a?=",
     "{-R} {--reference,-r,-w,-x,-X,-s,-t,-u,-g,-o,-a} w* | "
     "{--reference,-r,-w,-x,-X,-s,-t,-u,-g,-o,-a} W* | {-R} . w* | . W*", 0, "GNU chmod(1)",
     .on_itself = true, .leaves_files = true,
     .danger = DANGER_REMOVAL,
     .writes_no_text = true, .bits = true},
    {"chown",
     GNU_OPTIONS
     "-c,--changes -f,--silent,--quiet -v,--verbose --dereference -h,--no-dereference --from= "
     "--no-preserve-root --preserve-root --reference=R -R,--recursive -H -L -P",
     "{-R} {--reference} w* | {-R} . w* | {--reference} W* | . W*", EFFECT_SYSTEM, "GNU chown(1)",
     .on_itself = true, .danger = DANGER_REMOVAL,
     .writes_no_text = true},
    {"cp",
     GNU_OPTIONS
     "-a,--archive --attributes-only --backup?= -b --copy-contents -d -f,--force -i,--interactive "
     "-H -l,--link -L,--dereference -n,--no-clobber -P,--no-dereference -p --preserve?= "
     "--no-preserve= --parents -R,-r,--recursive --reflink?= --remove-destination --sparse= "
     "--strip-trailing-slashes -s,--symbolic-link -S,--suffix=@suffix -t,--target-directory=T "
     "-T,--no-target-directory -u --update?= -v,--verbose -x,--one-file-system -Z --context?=",
     "{--parents} ^unknown R+ t | {-l,-s} {-t} RW* | {-l,-s} RW+ T | {-R,-a} {-t} -t=t r* | "
     "{-R,-a} {-T} r w | {-R,-a} r+ t | {-t} R* | R+ T", 0, "GNU cp(1)", .brings = BRINGS_COPIES,
     .follows = "-L", .same = "-b,--backup -p,--preserve -u,--update", .implies = "-a>-r"},
    {"cpio", "=", "", 0, "GNU cpio(1)", .brings = BRINGS_ARCHIVE, .names_in = "*"},
    {"cscope", "=", "", 0, "cscope(1): the names are in cscope.files, or where -i says",
     .names_in = "*"},
    {"csplit",
     GNU_OPTIONS
     "-b,--suffix-format= -f,--prefix=W -k,--keep-files --suppress-matched -n,--digits= "
     "-s,--quiet,--silent -z,--elide-empty-files",
     "R .*", EFFECT_UNKNOWN, "GNU csplit(1): the prefix is only how the names of the files begin"},
    {"ctags", "=", "", 0, "ctags(1), Exuberant and Universal", .names_in = "-L"},
    {"dd",
     "mixed abbrev %--help %--version if=R of=W bs= cbs= conv= count= ibs= iflag= obs= oflag= "
     "oseek= iseek= seek= skip= status=",
     "none", 0, "GNU dd(1)", .danger = DANGER_REMOVAL},
    {"df",
     GNU_OPTIONS
     "-a,--all -B,--block-size= -h,--human-readable -H,--si -i,--inodes -k -l,--local --no-sync "
     "--output?= -P,--portability --sync --total -t,--type= -T,--print-type -x,--exclude-type= -v",
     "B*", 0, "GNU df(1)"},
    {"dir", "=ls", "", 0, "GNU dir(1)"},
    {"dirname", "", "@@data", 0, "GNU dirname(1): whatever its words are, it only prints",
     .leaves_input = true},
    {"ditto", "=", "", 0, "ditto(1)", .brings = BRINGS_COPIES},
    {"du",
     GNU_OPTIONS
     "-0,--null -a,--all --apparent-size -B,--block-size= -b,--bytes -c,--total "
     "-D,--dereference-args -d,--max-depth= !--files0-from=R -H -h,--human-readable --inodes -k "
     "-L,--dereference -l,--count-links -m -P,--no-dereference -S,--separate-dirs --si "
     "-s,--summarize -t,--threshold= --time?= --time-style= -X,--exclude-from=R --exclude= "
     "-x,--one-file-system",
     "b* cwd", 0, "GNU du(1): names and sizes, no contents",
     .follows = "-L"},
    {"fd",
     "mixed %-h,--help %-V,--version -H,--hidden -I,--no-ignore --no-ignore-vcs --no-ignore-parent "
     "--no-global-ignore-file -u,--unrestricted -s,--case-sensitive -i,--ignore-case -g,--glob "
     "--regex -F,--fixed-strings --and= -a,--absolute-path -l,--list-details -L,--follow "
     "-p,--full-path -d,--max-depth= --min-depth= --exact-depth= -E,--exclude= --prune -t,--type= "
     "-e,--extension= -S,--size= --changed-within= --changed-before= -o,--owner= --format= "
     "-x,--exec=I -X,--exec-batch=I --batch-size= --ignore-file=R -c,--color= -j,--threads= "
     "--max-buffer-time= --max-results= -1 -q,--quiet --show-errors --base-directory=P "
     "--path-separator= --search-path=b --strip-cwd-prefix?= --one-file-system,--mount,--xdev "
     "-0,--print0 --hyperlink?=",
     "{--search-path} . | . b* cwd", 0, "fd(1) 8.6: names, no contents",
     .follows = "-L", .prints = PRINTS_NAMES, .also = "fdfind"},
    {"fdfind", "=fd", "", 0, "fd(1), its name in Debian"},
    {"file",
     GNU_OPTIONS
     "-v -m,--magic-file=R !-z,--uncompress !-Z,--uncompress-noreport -b,--brief "
     "-c,--checking-printout -e,--exclude= --exclude-quiet= !-f,--files-from=R -F,--separator= "
     "-i,--mime --apple --extension --mime-type --mime-encoding -k,--keep-going -l,--list "
     "-L,--dereference -h,--no-dereference -n,--no-buffer -N,--no-pad -0,--print0 "
     "!-p,--preserve-date -P,--parameter= -r,--raw -s,--special-files -S,--no-sandbox "
     "!-C,--compile !-d,--debug",
     "R*", 0, "file(1) 5.44: -C writes a compiled magic file, -f takes names from a file, -p sets "
     "times",
     .leaves_input = true, .opens = "1bLi", .same = "-v,--version", .names_in = "-f --files-from"},
    {"find",
     "+long mixed expression -help,--help -version,--version -H -L -P -O?= -D= -a,-and -o,-or "
     "-not -daystart -depth,-d -empty -executable -false -true -follow -ignore_readdir_race "
     "-noignore_readdir_race -ls -mount,-xdev -nogroup -nouser -noleaf -nowarn -warn -print "
     "-print0 -prune -quit -readable -writable -amin= -atime= -cmin= -ctime= -mmin= -mtime= "
     "-fstype= -gid= -group= -ilname= -iname= -inum= -ipath= -iregex= -iwholename= -links= -lname= "
     "-maxdepth= -mindepth= -name= -path= -perm= -printf= -regex= -regextype= -size= -type= -uid= "
     "-used= -user= -wholename= -xtype= -context= -newerat,-newerBt,-newerct,-newermt= "
     "-newer,-anewer,-cnewer,-samefile=B -neweraa,-neweraB,-newerac,-neweram=B "
     "-newerBa,-newerBB,-newerBc,-newerBm=B -newerca,-newercB,-newercc,-newercm=B "
     "-newerma,-newermB,-newermc,-newermm=B !-files0-from=R -fls=W -fprint=W -fprint0=W "
     "-fprintf=W,. -delete -exec=I -execdir=I -ok=I -okdir=I",
     "{-delete} d* cwd | b* cwd", 0, "GNU find(1) 4.9: names, no contents",
     .danger = DANGER_COMMANDS,
     .follows = "-L -follow", .prints = PRINTS_NAMES, .names_in = "-files0-from"},
    {"gtar", "=", "", 0, "GNU tar(1)", .brings = BRINGS_ARCHIVE, .also = "tar", .names_in = "-T --files-from"},
    {"gunzip", "=gzip", "", 0, "GNU gunzip(1)"},
    {"gzip",
     GNU_OPTIONS
     "-V -h -c,--stdout,--to-stdout -d,--decompress,--uncompress -f,--force -k,--keep -l,--list "
     "-L,--license -n,--no-name -N,--name -q,--quiet,--silent -r,--recursive --rsyncable "
     "-S,--suffix=@suffix --synchronous -t,--test -v,--verbose -1,--fast -2 -3 -4 -5 -6 -7 -8 "
     "-9,--best",
     "{-c,-l,-t} {-r} r* | {-c,-l,-t} R* | {0} none | ^unknown rwd*", 0, "GNU gzip(1)", .same = "-V,--version", .set_by = "GZIP"},
    {"install",
     GNU_OPTIONS
     "--backup?= -b -c -C,--compare -d,--directory -D -g,--group= -m,--mode= -o,--owner= "
     "-p,--preserve-timestamps -s,--strip --strip-program=X -S,--suffix=@suffix "
     "-t,--target-directory=T -T,--no-target-directory -v,--verbose --preserve-context -Z "
     "--context?=",
     "{-d} W* | {-t} R* | R+ T", 0, "GNU install(1)", .same = "-b,--backup"},
    {"link", GNU_OPTIONS, "RW W", 0, "GNU link(1): a second name for a file reaches it as the "
     "first does",
     .brings = BRINGS_NAMES},
    {"ln",
     GNU_OPTIONS
     "--backup?= -b -d,-F,--directory -f,--force -i,--interactive -L,--logical -n,--no-dereference "
     "-P,--physical -r,--relative -s,--symbolic -S,--suffix=@suffix -t,--target-directory=T "
     "-T,--no-target-directory -v,--verbose",
     "{-t} rw* | {1} ^unknown rw | rw+ T", 0, "GNU ln(1): programs that follow the link read and "
     "write its target",
     .brings = BRINGS_NAMES, .same = "-b,--backup"},
    {"locate",
     GNU_OPTIONS
     "-0,--null -A,--all -b,--basename -c,--count -d,--database=R -e,--existing -i,--ignore-case "
     "-l,-n,--limit= -L,--follow -P,-H,--nofollow -q,--quiet -r,--regexp= --regex -S,--statistics "
     "-w,--wholename",
     ".*", 0, "plocate(1), mlocate(1)"},
    {"ls",
     GNU_OPTIONS
     "-a,--all -A,--almost-all --author -b,--escape --block-size= -B,--ignore-backups -c -C "
     "--color?= -d,--directory -D,--dired -f -F,--classify?= --file-type --format= --full-time -g "
     "--group-directories-first -G,--no-group -h,--human-readable --si "
     "-H,--dereference-command-line --dereference-command-line-symlink-to-dir --hide= "
     "--hyperlink?= --indicator-style= -i,--inode -I,--ignore= -k,--kibibytes -l -L,--dereference "
     "-m -n,--numeric-uid-gid -N,--literal -o -p -q,--hide-control-chars --show-control-chars "
     "-Q,--quote-name --quoting-style= -r,--reverse -R,--recursive -s,--size -S --sort= --time= "
     "--time-style= -t -T,--tabsize= -u -U -v -w,--width= -x -X -Z,--context --zero -1",
     "{-R} b* cwd | B* cwd", 0, "GNU ls(1)", .leaves_files = true, .leaves_input = true,
     .follows = "-L", .prints = PRINTS_NAMES},
    {"lzcat", "=xzcat", "", 0, "xzcat(1)"},
    {"lzma", "=xz", "", 0, "xz(1)"},
    {"mkdir", GNU_OPTIONS "-m,--mode= -p,--parents -v,--verbose -Z --context?=", "W*", 0,
     "GNU mkdir(1)",
     .leaves_files = true, .leaves_input = true,
     .writes_no_text = true, .prints = PRINTS_WORDS},
    {"mkfifo", GNU_OPTIONS "-m,--mode= -Z --context?=", "W*", 0, "GNU mkfifo(1)",
     .writes_no_text = true},
    {"mknod", GNU_OPTIONS "-m,--mode= -Z --context?=", "^system W . . .", 0, "GNU mknod(1)"},
    {"mktemp",
     GNU_OPTIONS
     "-d,--directory -u,--dry-run -q,--quiet --suffix=@suffix -p=W --tmpdir?=W -t",
     "W", 0, "GNU mktemp(1): without an operand a new name in the temporary directory",
     .prints = PRINTS_NEW},
    {"mlocate", "=locate", "", 0, "mlocate(1)"},
    {"mv",
     GNU_OPTIONS
     "--backup?= -b -f,--force -i,--interactive -n,--no-clobber --strip-trailing-slashes "
     "-S,--suffix=@suffix -t,--target-directory=t -T,--no-target-directory -u "
     "--update?= -v,--verbose -Z,--context",
     "{-t} rd* | {-T} rd w | rd+ t", 0, "GNU mv(1)", .brings = BRINGS_NAMES, .same = "-b,--backup -u,--update"},
    {"patch",
     GNU_OPTIONS
     "-v -p,--strip= -F,--fuzz= -l,--ignore-whitespace -c,--context -e,--ed -n,--normal "
     "-u,--unified -N,--forward -R,--reverse -i,--input=R -o,--output=W -r,--reject-file=W "
     "-D,--ifdef= --merge?= -E,--remove-empty-files -Z,--set-utc -T,--set-time --quoting-style= "
     "-b,--backup --backup-if-mismatch --no-backup-if-mismatch -V,--version-control= -B,--prefix= "
     "-Y,--basename-prefix= -z,--suffix=@suffix -g,--get= -t,--batch -f,--force "
     "-s,--quiet,--silent --verbose --dry-run --posix -d,--directory=P --reject-format= --binary "
     "--read-only= --follow-symlinks",
     "^unknown RW R cwd=w", 0, "GNU patch(1): the patch itself names the files that are written, and old "
     "ones run ed", .same = "-v,--version"},
    {"pathchk", GNU_OPTIONS "-p -P --portability", ".*", 0, "GNU pathchk(1)"},
    {"pax", "=", "", 0, "pax(1)", .brings = BRINGS_ARCHIVE, .names_in = "*"},
    {"plocate", "=locate", "", 0, "plocate(1)"},
    {"readlink",
     GNU_OPTIONS
     "-f,--canonicalize -e,--canonicalize-existing -m,--canonicalize-missing -n,--no-newline "
     "-q,--quiet -s,--silent -v,--verbose -z,--zero",
     "B*", 0, "GNU readlink(1)"},
    {"realpath",
     GNU_OPTIONS
     "-e,--canonicalize-existing -m,--canonicalize-missing -L,--logical -P,--physical -q,--quiet "
     "--relative-to= --relative-base= -s,--strip,--no-symlinks -z,--zero",
     "B*", 0, "GNU realpath(1)"},
    {"rename", "", "^unknown^code .*", 0, "rename(1): in Debian the first operand is Perl code"},
    {"rm",
     GNU_OPTIONS
     "-f,--force -i -I --interactive?= --one-file-system --no-preserve-root --preserve-root?= "
     "-r,-R,--recursive -d,--dir -v,--verbose",
     "{-r} d* | D*", 0, "GNU rm(1)", .meant = "delete", .implies = "--interactive=n*>-f"},
    {"rmdir",
     GNU_OPTIONS
     "--ignore-fail-on-non-empty -p,--parents -v,--verbose",
     "{-p} ^unknown D* | D*", 0, "GNU rmdir(1)"},
    {"shred",
     GNU_OPTIONS
     "-f,--force -n,--iterations= --random-source=R -s,--size= -u --remove?= -v,--verbose "
     "-x,--exact -z,--zero",
     "WD*", 0, "GNU shred(1)"},
    {"split",
     "number " GNU_OPTIONS
     "-a,--suffix-length= --additional-suffix=@suffix -b,--bytes= -C,--line-bytes= -d "
     "--numeric-suffixes?= -x --hex-suffixes?= -e,--elide-empty-files --filter=X -l,--lines= "
     "-n,--number= -t,--separator= -u,--unbuffered --verbose",
     "R W", EFFECT_UNKNOWN, "GNU split(1): the operand is only how the names of the files begin"},
    {"stat",
     GNU_OPTIONS
     "-L,--dereference -f,--file-system --cached= -c,--format= --printf= -t,--terse",
     "B*", 0, "GNU stat(1)", .leaves_input = true},
    {"sync", GNU_OPTIONS "-d,--data -f,--file-system", "R*", 0, "GNU sync(1)"},
    {"tar",
     "bundle abbrev mixed %--help,--usage,-? %--version %--show-defaults -c,--create -r,--append "
     "-u,--update -x,--extract,--get -t,--list -A,--catenate,--concatenate -d,--diff,--compare "
     "--delete --test-label -f,--file=LR -C,--directory=P -z,--gzip,--gunzip,--ungzip -j,--bzip2 "
     "-J,--xz --lzip --lzma --lzop --zstd -Z,--compress,--uncompress -a,--auto-compress "
     "--no-auto-compress -v,--verbose -k,--keep-old-files --keep-newer-files "
     "--keep-directory-symlink --skip-old-files --overwrite --overwrite-dir --no-overwrite-dir "
     "-U,--unlink-first -O,--to-stdout -p,--preserve-permissions,--same-permissions "
     "--no-same-permissions --same-owner --no-same-owner -o --numeric-owner -m,--touch "
     "--strip-components= --exclude= --exclude-vcs --exclude-vcs-ignores --exclude-backups "
     "--exclude-caches --exclude-caches-all --exclude-caches-under --exclude-tag= "
     "--exclude-tag-all= --exclude-tag-under= -X,--exclude-from=R --exclude-ignore= "
     "--exclude-ignore-recursive= --anchored --no-anchored --ignore-case --no-ignore-case "
     "--wildcards --no-wildcards --wildcards-match-slash --no-wildcards-match-slash --no-recursion "
     "--recursion --null --no-null --one-file-system -h,--dereference --hard-dereference "
     "-S,--sparse --sort= --mtime= --clamp-mtime --owner= --group= --mode= --format,-H=@name "
     "--posix --old-archive,--portability --pax-option= -V,--label= -n,--seek --no-seek --totals?= "
     "--full-time --utc -R,--block-number --show-transformed-names,--show-stored-names "
     "--show-omitted-dirs --quoting-style= --warning= -i,--ignore-zeros -b,--blocking-factor= "
     "--record-size= -B,--read-full-records --force-local -l,--check-links !-W,--verify "
     "--one-top-level?= --acls --no-acls --selinux --no-selinux --xattrs --no-xattrs "
     "--xattrs-include= --xattrs-exclude= --occurrence?= -K,--starting-file= "
     "-N,--newer,--after-date= --newer-mtime= --checkpoint?= --checkpoint-action=X "
     "-I,--use-compress-program=X --to-command=X -F,--info-script,--new-volume-script=X "
     "--rmt-command=X --rsh-command=X --index-file=W --volno-file=RW -g,--listed-incremental=RW "
     "-G,--incremental --level= !-T,--files-from=R !--remove-files !--recursive-unlink "
     "!-P,--absolute-names !--transform,--xform= !-M,--multi-volume -L,--tape-length= --backup?= "
     "--suffix=@suffix --ignore-failed-read --ignore-command-error --no-ignore-command-error "
     "--delay-directory-restore --no-delay-directory-restore --atime-preserve?= --check-device "
     "--no-check-device -w,--interactive,--confirmation --restrict "
     "!-s,--preserve-order,--same-order",
     "{-x} {-O} .* | {-x} {-C} -C=w .* | {-x} .* cwd=w | {-t,-d,--test-label} .* | {--delete} "
     "-f=LW .* | {-c,-r,-u,-A} -f=LW r*", 0,
     "GNU tar(1) 1.34; for that of macOS -W is any long option, -H takes no value, and -s renames",
     .brings = BRINGS_ARCHIVE,
     .follows = "-h", .also = "bsdtar,gtar", .options_in = "-T", .set_by = "TAR_OPTIONS", .names_in = "-T --files-from"},
    {"tee", GNU_OPTIONS "-a,--append -i,--ignore-interrupts -p --output-error?=", "W*", 0,
     "GNU tee(1)",
     .danger = DANGER_REMOVAL},
    {"touch",
     GNU_OPTIONS
     "-a -c,--no-create -d,--date= -f -h,--no-dereference -m -r,--reference=R -t= --time=",
     "W*", 0, "GNU touch(1)",
     .writes_no_text = true, .prints = PRINTS_WORDS},
    {"tree",
     "mixed number %--help %--version -a -d -l -f -x -L=@apart !-R -P=@apart -I=@apart --gitignore "
     "--gitfile=R --infofile=R --ignore-case --matchdirs --metafirst --info --noreport --charset= "
     "--filelimit= --filesfirst --dirsfirst --sort?= -o=W -q -N -Q -p -u -g -s -h --si --du -D -F "
     "--timefmt= --inodes --device -v -t -c -U -r -i -A -S -n -C -X -J -H=@apart -T=@apart "
     "--nolinks --hintro=R --houtro=R --prune !--fromfile !--fromtabfile",
     "b* cwd", 0, "tree(1) 2.1: names, no contents; -R with -o writes in each directory. -Lo takes "
     "two values, from the next two words",
     .follows = "-l"},
    {"truncate", GNU_OPTIONS "-c,--no-create -o,--io-blocks -r,--reference=R -s,--size=", "W*", 0,
     "GNU truncate(1)",
     .danger = DANGER_REMOVAL,
     .writes_no_text = true, .empties = true},
    {"unlink", GNU_OPTIONS, "D", 0, "GNU unlink(1)", .meant = "delete"},
    {"unlzma", "=xz", "", 0, "xz(1)"},
    {"unxz", "=xz", "", 0, "unxz(1)"},
    {"unzip",
     "mixed %-h,--help %-hh -l -v -t -z -p -c -o -n -q -qq -j -u -f -a -aa -b -C -L -LL -M -U -UU "
     "-V -X -K -W -x -d=w -P= -O= -I=",
     "{-l,-v,-t,-z,-p,-c} R .* | {0} none | R .* cwd=w", 0, "unzip(1) 6.00; -: leaves the "
     "directory and is not listed",
     .brings = BRINGS_ARCHIVE, .set_by = "UNZIP*"},
    {"unzstd", "=zstd", "", 0, "zstd(1)"},
    {"vdir", "=ls", "", 0, "GNU vdir(1)"},
    {"xz",
     "mixed abbrev %-h,--help %-H,--long-help %-V,--version -z,--compress "
     "-d,--decompress,--uncompress -t,--test -l,--list -k,--keep -f,--force "
     "-c,--stdout,--to-stdout --single-stream --no-sparse -S,--suffix=@suffix !--files?=R "
     "!--files0?=R -F,--format= -C,--check= --ignore-check -0 -1,--fast -2 -3 -4 -5 -6 -7 -8 "
     "-9,--best -e,--extreme --block-size= --block-list= --flush-timeout= -M,--memlimit,--memory= "
     "--memlimit-compress= --memlimit-decompress= --no-adjust -T,--threads= -q,--quiet "
     "-v,--verbose -Q,--no-warn --robot --info-memory",
     "{-c} R* | {-d,-z} {0} none | {-d,-z} ^unknown RWD* | {-t,-l} R* | {0} none | ^unknown RWD*",
     0,
     "xz(1): the last of -t, -l, -d and -z counts", .set_by = "XZ_*", .names_in = "--files --files0"},
    {"xzcat",
     "mixed abbrev %-h,--help %-V,--version -f,--force -F,--format= -T,--threads= -q,--quiet "
     "-v,--verbose",
     "R*", 0, "xzcat(1)"},
    {"zcat",
     GNU_OPTIONS
     "-f,--force -l,--list -q,--quiet -r,--recursive -S,--suffix=@suffix --synchronous -t,--test "
     "-v,--verbose",
     "{-r} r* | R*", 0, "GNU zcat(1)"},
    {"zip",
     "mixed %-h,-h2 -r,--recurse-paths -q,--quiet -v,--verbose -j,--junk-paths -0 -1 -2 -3 -4 -5 "
     "-6 -7 -8 -9 -y,--symlinks -u,--update -f,--freshen -D,--no-dir-entries -X,--no-extra -n= "
     "-x,--exclude -i,--include -e,--encrypt -P,--password= -l -ll -o -k !-T -TT=X",
     "{-r} W r* | W R*", 0, "zip(1) 3.0; -@ takes names from its input and is not listed",
     .follows = "*", .set_by = "ZIPOPT", .names_in = "-@ --names-stdin -R --recurse-patterns"},
    {"zipinfo", "mixed -1 -2 -s -m -l -v -h -t -T -z -M -C", "R .*", 0, "zipinfo(1)"},
    {"zstd",
     "mixed %-h %-H,--help %-V,--version -d,--decompress,--uncompress -t,--test -l,--list "
     "-k,--keep -f,--force -c,--stdout -q,--quiet -v,--verbose -1 -2 -3 -4 -5 -6 -7 -8 -9 -T?= "
     "-D=R -o=W -r !--rm --ultra --long?=",
     "{-c} {-r} r* | {-c} R* | {-d} {0} none | {-d} ^unknown RWD* | {-t,-l} {-r} r* | {-t,-l} R* | "
     "{0} none | ^unknown RWD*", 0,
     "zstd(1) 1.5: the last of -t, -l and -d counts",
     .follows = "-f", .names_in = "--filelist"},
    {"zstdcat", "mixed -f,--force -q -v", "R*", 0, "zstd(1)"},
};
/* clang-format on */

extern const struct program_file rows_files;
const struct program_file rows_files = {"programs/rows/files.c", rows, COUNT(rows)};
