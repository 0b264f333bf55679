/* text.c - programs that read, search, compare and print text.
 *
 * Sorted by name. What a column means is said in programs.h. */
#include "programs/programs.h"

/* clang-format off */
/* Its words may be commands, and so may what it reads on its standard input; files are written. */
#define EDITOR "{0} ^code^editor none | ^editor XRW*"

static const struct program_row rows[] = {
    {"ack", "", ".*", EFFECT_UNKNOWN, "ack(1): options come from .ackrc in the project, --pager "
     "runs a program"},
    {"ag",
     "mixed %-h,--help %-V,--version --pager=X --nopager -i,--ignore-case -s,--case-sensitive "
     "-S,--smart-case -l,--files-with-matches -L,--files-without-matches -c,--count -n,--norecurse "
     "-w,--word-regexp -v,--invert-match -Q,-F,--literal,--fixed-strings -A,--after?= "
     "-B,--before?= -C,--context?= -G,--file-search-regex= -g= --ignore= --ignore-dir= "
     "-p,--path-to-ignore=R --hidden -u,--unrestricted -U,--skip-vcs-ignores -t,--all-text "
     "-a,--all-types -f,--follow -m,--max-count= --depth= --nocolor --color --nogroup --group "
     "--noheading --heading --numbers --nonumbers -o,--only-matching --column --stats --vimgrep -H "
     "--nofilename --filename",
     "{-g} r* cwd | @pattern r* cwd", 0, "ag(1) 2.2; -z runs decompressors and is not listed",
     .follows = "-f", .unhides = "--hidden -u", .broadens = "-v -u -U -a -t"},
    {"awk",
     "abbrev %-h,--help %-V,--version -F,--field-separator= -v,--assign= -f,--file=F !-e,--source= "
     "-i,--include=XR -l,--load=XR -E,--exec=F !-o,--pretty-print?=W !-p,--profile?=W "
     "!-d,--dump-variables?=W !-D,--debug?= -b,--characters-as-bytes -c,--traditional "
     "-C,--copyright -g,--gen-pot -L,--lint?= -M,--bignum -n,--non-decimal-data "
     "-N,--use-lc-numeric -O,--optimize -P,--posix -r,--re-interval -s,--no-optimize -S,--sandbox "
     "-t,--lint-old !-W=",
     "{-i} {-f,-E,-e} RW* | {-i} @awk RW* | {-f,-E,-e} @awkfile* | @awk @awkfile*", 0,
     "gawk(1) 5.2, mawk(1) 1.3.4; -i inplace writes the files, and searches AWKPATH",
     .danger = DANGER_CODE, .launches = "|", .also = "gawk,mawk,nawk,original-awk"},
    {"b2sum",
     GNU_OPTIONS
     "-b,--binary -c,--check -l,--length= --tag -t,--text -z,--zero --ignore-missing --quiet "
     "--status --strict -w,--warn",
     "R*", 0, "GNU b2sum(1)", .names_in = "-c --check"},
    {"base32", "=base64", "", 0, "GNU base32(1)"},
    {"base64", GNU_OPTIONS "-d,--decode -i,--ignore-garbage -w,--wrap=", "R", 0, "GNU base64(1)"},
    {"basenc",
     GNU_OPTIONS
     "--base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --z85 -d,--decode "
     "-i,--ignore-garbage -w,--wrap=",
     "R", 0, "GNU basenc(1)"},
    {"bat",
     "mixed %-h,--help %-V,--version -A,--show-all -p,--plain -pp -l,--language= "
     "-H,--highlight-line= --file-name= -d,--diff --diff-context= --tabs= --wrap= "
     "-S,--chop-long-lines --terminal-width= -n,--number --color= --italic-text= --decorations= "
     "-f,--force-colorization --paging= -P,--no-paging --pager=X -m,--map-syntax= "
     "--ignored-suffix= --theme= --list-themes --squeeze-blank --style= -r,--line-range= "
     "-L,--list-languages -u,--unbuffered",
     "R*", 0, "bat(1) 0.22", .also = "batcat"},
    {"bat cache", "", ".*", EFFECT_UNKNOWN, "bat(1): builds caches from files"},
    {"batcat", "=bat", "", 0, "bat(1), its name in Debian"},
    {"bc",
     "mixed abbrev %-h,--help %-v,--version -i,--interactive -l,--mathlib -q,--quiet -s,--standard "
     "-w,--warn",
     "R*", 0, "GNU bc(1)"},
    {"cat",
     GNU_OPTIONS
     "-A,--show-all -b,--number-nonblank -e -E,--show-ends -n,--number -s,--squeeze-blank -t "
     "-T,--show-tabs -u -v,--show-nonprinting",
     "R*", 0, "GNU cat(1)", .leaves_files = true, .leaves_input = true, .opens = "1nAETbsv", .prints = PRINTS_LINES},
    {"cksum",
     GNU_OPTIONS
     "-a,--algorithm= -c,--check -l,--length= --tag --untagged -z,--zero --ignore-missing --quiet "
     "--status --strict -w,--warn --debug",
     "R*", 0, "GNU cksum(1)", .names_in = "-c --check"},
    {"cmp",
     GNU_OPTIONS
     "-v -b,--print-bytes -i,--ignore-initial= -l,--verbose -n,--bytes= -s,--quiet,--silent",
     "R R . .", 0, "GNU cmp(1)", .same = "-v,--version"},
    {"colordiff", "=diff", "", 0, "colordiff(1)"},
    {"column",
     "mixed abbrev %-h,--help %-V,--version -t,--table -n,--table-name= -O,--table-order= "
     "-N,--table-columns= -l,--table-columns-limit= -E,--table-noextreme= -d,--table-noheadings "
     "-e,--table-header-repeat -H,--table-hide= -R,--table-right= -T,--table-truncate= "
     "-W,--table-wrap= -L,--keep-empty-lines -J,--json -r,--tree= -i,--tree-id= -p,--tree-parent= "
     "-c,--output-width= -o,--output-separator= -s,--separator= -x,--fillrows",
     "R*", 0, "column(1), util-linux"},
    {"comm",
     GNU_OPTIONS
     "-1 -2 -3 --check-order --nocheck-order --output-delimiter= --total -z,--zero-terminated",
     "R R", 0, "GNU comm(1)"},
    {"cut",
     GNU_OPTIONS
     "-b,--bytes= -c,--characters= -d,--delimiter= -f,--fields= -n --complement "
     "-s,--only-delimited --output-delimiter= -z,--zero-terminated",
     "R*", 0, "GNU cut(1)"},
    {"dc",
     "mixed %-h,--help %-V,--version -e,--expression=X -f,--file=F",
     "{0} ^code none | ^code F*", 0, "GNU dc(1): ! runs a command"},
    {"diff",
     "number " GNU_OPTIONS
     "-v --normal -q,--brief -s,--report-identical-files -c -C,--context= -u -U,--unified= -e,--ed "
     "-n,--rcs -y,--side-by-side -W,--width= --left-column --suppress-common-lines "
     "-p,--show-c-function -F,--show-function-line= -L,--label= -t,--expand-tabs -T,--initial-tab "
     "--tabsize= --suppress-blank-empty !-l,--paginate -r,--recursive --no-dereference "
     "-N,--new-file --unidirectional-new-file -P --ignore-file-name-case "
     "--no-ignore-file-name-case -x,--exclude= -X,--exclude-from=R -S,--starting-file= "
     "--from-file=R --to-file=R -i,--ignore-case -E,--ignore-tab-expansion "
     "-Z,--ignore-trailing-space -b,--ignore-space-change -w,--ignore-all-space "
     "-B,--ignore-blank-lines -I,--ignore-matching-lines= -a,--text --strip-trailing-cr "
     "-D,--ifdef= --old-group-format= --new-group-format= --unchanged-group-format= "
     "--changed-group-format= --line-format= --old-line-format= --new-line-format= "
     "--unchanged-line-format= -d,--minimal --horizon-lines= -H,--speed-large-files --color?= "
     "--palette=",
     "{--from-file,--to-file} r* | r r", 0,
     "GNU diff(1) 3.8; -l runs pr. Of two directories it compares the files in them",
     .follows = "*", .same = "-v,--version"},
    {"diff3",
     GNU_OPTIONS
     "-v -A,--show-all -e,--ed -E,--show-overlap -3,--easy-only -x,--overlap-only -X -i -m,--merge "
     "-a,--text --strip-trailing-cr -T,--initial-tab --diff-program=X -L,--label=",
     "R R R", 0, "GNU diff3(1)", .same = "-v,--version"},
    {"dos2unix", "", ".*", EFFECT_UNKNOWN, "dos2unix(1): rewrites its operands"},
    {"ed",
     "abbrev mixed %-h,--help %-V,--version -E,--extended-regexp -G,--traditional "
     "-l,--loose-exit-status -p,--prompt= -q,--quiet,--silent -r,--restricted -s,--script "
     "-v,--verbose --strip-trailing-cr",
     EDITOR, 0, "GNU ed(1): ! runs a command", .danger = DANGER_CODE},
    {"egrep", "=grep", "", 0, "GNU grep(1)"},
    {"emacs", "", EDITOR, 0, "emacs(1): --eval, -f and -l run code"},
    {"emacsclient", "", EDITOR, 0, "emacsclient(1): -e runs code"},
    {"ex", "=vi", "", 0, "vim(1)"},
    {"expand", "number " GNU_OPTIONS "-i,--initial -t,--tabs=", "R*", 0, "GNU expand(1)"},
    {"expr", "%--help %--version", ".*", 0, "GNU expr(1)"},
    {"factor", GNU_OPTIONS "-h,--exponents", ".*", 0, "GNU factor(1)"},
    {"fgrep", "=grep", "", 0, "GNU grep(1)"},
    {"fmt",
     "number " GNU_OPTIONS
     "-c,--crown-margin -p,--prefix= -s,--split-only -t,--tagged-paragraph -u,--uniform-spacing "
     "-w,--width= -g,--goal=",
     "R*", 0, "GNU fmt(1)"},
    {"fold", "number " GNU_OPTIONS "-b,--bytes -s,--spaces -w,--width=", "R*", 0, "GNU fold(1)"},
    {"fzf",
     "mixed %-h,--help %--version %--man %--bash %--zsh %--fish -x,--extended --no-extended "
     "-e,--exact --no-exact -i,--ignore-case --no-ignore-case --smart-case --literal --scheme= "
     "--algo= -n,--nth= --with-nth= --accept-nth= -d,--delimiter= --no-sort --tail= --disabled "
     "--tiebreak= -m,--multi?= --no-multi --no-mouse --cycle --wrap --no-multi-line --track --tac "
     "--gap?= --keep-right --scroll-off= --no-hscroll --hscroll-off= --jump-labels= --gutter= "
     "--pointer= --marker= --marker-multi-line= --ellipsis= --tabstop= --scrollbar?= "
     "--no-scrollbar --height= --min-height= --reverse --layout= --border?= --no-border "
     "--border-label= --border-label-pos= --margin= --padding= --info= --no-info --separator= "
     "--no-separator --prompt= --header= --header-lines= --header-first --header-border?= "
     "--header-label= --footer= --ansi --color= --no-color --no-bold --black --style= --no-unicode "
     "--ghost= --input-border?= --list-border?= -q,--query= -1,--select-1 -0,--exit-0 -f,--filter= "
     "--print-query --expect= --read0 --print0 --sync --no-tty-default --walker= --walker-root=b "
     "--walker-skip= --history=RW --history-size= !--preview= !--preview-window= --bind=@fzf "
     "!--listen?= !--with-shell= !--become= !--tmux?= !--popup?=",
     "none cwd=b", 0, "fzf(1) 0.60"},
    {"gawk", "=awk", "", 0, "gawk(1) 5.2"},
    {"gnuplot", "-e=X", "{0} ^code none | F*", 0, "gnuplot(1): system(), !"},
    {"gojq", "=jq", "", 0, "gojq, the same options"},
    {"grep",
     "number " GNU_OPTIONS
     "-V -E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -e,--regexp=@pattern "
     "-f,--file=R -i,-y,--ignore-case --no-ignore-case -w,--word-regexp -x,--line-regexp "
     "-z,--null-data -s,--no-messages -v,--invert-match -m,--max-count= -b,--byte-offset "
     "-n,--line-number --line-buffered -H,--with-filename -h,--no-filename --label= "
     "-o,--only-matching -q,--quiet,--silent --binary-files= -a,--text -I -d,--directories= "
     "-D,--devices= -r,--recursive -R,--dereference-recursive --include=@only --exclude=@except "
     "--exclude-from=R --exclude-dir= -L,--files-without-match -l,--files-with-matches -c,--count "
     "-T,--initial-tab -Z,--null -u,--unix-byte-offsets -B,--before-context= -A,--after-context= "
     "-C,--context= --group-separator= --no-group-separator --color?= --colour?= -U,--binary",
     "{-r,-R,-d} {-e,-f} r* cwd | {-r,-R,-d} @pattern r* cwd | {-e,-f} R* | . R*", 0,
     "GNU grep(1) 3.8", .follows = "-R", .broadens = "-v -z -f",
     .leaves_input = true, .opens = "2nilLcqvwxEFPoHhs", .prints = PRINTS_LINES,
     .same = "-V,--version", .also = "egrep,fgrep,rgrep", .implies = "-R>-r -d=rec*>-r", .set_by = "GREP_OPTIONS"},
    {"gvim", "=vi", "", 0, "vim(1)"},
    {"hd", "=hexdump", "", 0, "hexdump(1), util-linux"},
    {"head",
     "number " GNU_OPTIONS
     "-c,--bytes= -n,--lines= -q,--quiet,--silent -v,--verbose -z,--zero-terminated",
     "R*", 0, "GNU head(1)", .leaves_input = true, .opens = "1qv0123456789", .prints = PRINTS_LINES},
    {"hexdump",
     "mixed abbrev %--help %-V,--version -b,--one-byte-octal -c,--one-byte-char -C,--canonical "
     "-d,--two-bytes-decimal -o,--two-bytes-octal -x,--two-bytes-hex -L,--color?= -e,--format= "
     "-f,--format-file=R -n,--length= -s,--skip= -v,--no-squeezing",
     "R*", 0, "hexdump(1), util-linux"},
    {"hx", "", EDITOR, 0, "hx(1)"},
    {"iconv",
     "mixed abbrev %-?,--help %-V,--version -f,--from-code= -t,--to-code= -l,--list -c "
     "-o,--output=W -s,--silent --verbose",
     "R*", 0, "iconv(1), glibc"},
    {"info", "-o,--output=W --restore=XR -d,--directory=R -f,--file=R -n,--node=", ".*", EFFECT_UNKNOWN, "info(1)"},
    {"joe", "", EDITOR, 0, "joe(1)"},
    {"join",
     GNU_OPTIONS
     "-a= -e= -i,--ignore-case -j= -o= -t= -v= -1= -2= --check-order --nocheck-order --header "
     "-z,--zero-terminated",
     "R R", 0, "GNU join(1)"},
    {"jq",
     "mixed %-h,--help %-V,--version -c,--compact-output -n,--null-input -e,--exit-status "
     "-s,--slurp -r,--raw-output --raw-output0 -j,--join-output -a,--ascii-output -R,--raw-input "
     "-C,--color-output -M,--monochrome-output -S,--sort-keys --tab --indent= --unbuffered "
     "--stream --stream-errors --seq --arg=.,. --argjson=.,. --slurpfile=.,R --rawfile=.,R "
     "--argfile=.,R --args --jsonargs ^secrets^unknown-f,--from-file=R !-L=",
     "{-f} R* | @jq R*", 0, "jq(1) 1.6 and 1.7; it also reads ~/.jq", .leaves_input = true,
     .opens = "2crsSe"},
    {"kak", "", EDITOR, 0, "kak(1): -e runs commands"},
    {"less",
     "abbrev -a -c -e -E -f -F -g -G -i -I -J -m -M -n -N -q -Q -r -R -s -S -u -U -w -W -X -p= -x= "
     "-z= -j= -h= -P= -o=W -O=W -k,--lesskey-file=F --lesskey-content=X --lesskey-src=F --log-file=W --LOG-FILE=W -t= !-T,--tag-file=R %-? %--help %-V,--version --RAW-CONTROL-CHARS "
     "--LINE-NUMBERS --chop-long-lines --no-init --quit-if-one-screen",
     "@noplus*", EFFECT_UNKNOWN, "less(1): ! runs a command, typed, in + or bound to a key (-k)", .set_by = "LESS"},
    {"look",
     "%-h,--help %-V,--version -a,--alternative -d,--alphanum -f,--ignore-case -t,--terminate=",
     ". R", 0, "look(1)"},
    {"m4", "", "{0} ^code none | XR*", 0, "GNU m4(1): syscmd", .danger = DANGER_CODE},
    {"mawk", "=awk", "", 0, "mawk(1) 1.3.4"},
    {"md5", "-q -r -n -s= -p -t -x", "R*", 0, "md5(1) of FreeBSD and macOS"},
    {"md5sum",
     GNU_OPTIONS
     "-b,--binary -c,--check --tag -t,--text -z,--zero --ignore-missing --quiet --status --strict "
     "-w,--warn",
     "R*", 0, "GNU md5sum(1)", .names_in = "-c --check"},
    {"mg", "", EDITOR, 0, "mg(1)"},
    {"micro", "", EDITOR, 0, "micro(1)"},
    {"more",
     "number -d,--silent -f,--logical -l,--no-pause -c,--print-over -p,--clean-print "
     "-e,--exit-on-eof -s,--squeeze -u,--plain -n,--lines= %-h,--help %-V,--version",
     "@noplus*", EFFECT_UNKNOWN, "more(1), util-linux: ! runs a command"},
    {"most", "", "@noplus*", EFFECT_UNKNOWN, "most(1)"},
    {"nano", "", EDITOR, 0, "nano(1): ^T and .nanorc run commands"},
    {"nawk", "=awk", "", 0, "nawk(1)"},
    {"nl",
     GNU_OPTIONS
     "-b,--body-numbering= -d,--section-delimiter= -f,--footer-numbering= -h,--header-numbering= "
     "-i,--line-increment= -l,--join-blank-lines= -n,--number-format= -p,--no-renumber "
     "-s,--number-separator= -v,--starting-line-number= -w,--number-width=",
     "R*", 0, "GNU nl(1)"},
    {"numfmt",
     GNU_OPTIONS
     "--debug -d,--delimiter= --field= --format= --from= --from-unit= --grouping --header?= "
     "--invalid= --padding= --round= --suffix= --to= --to-unit= -z,--zero-terminated",
     ".*", 0, "GNU numfmt(1)"},
    {"nvim", "=vi", "", 0, "nvim(1)"},
    {"octave", "--eval=X", "{0} ^code none | F .*", 0, "octave(1)"},
    {"od",
     GNU_OPTIONS
     "-A,--address-radix= --endian= -j,--skip-bytes= -N,--read-bytes= -S= --strings?= -t,--format= "
     "-v,--output-duplicates -w?= --width?= --traditional -a -b -c -d -f -i -l -o -s -x",
     "R*", 0, "GNU od(1)"},
    {"original-awk", "=awk", "", 0, "original-awk(1)"},
    {"paste", GNU_OPTIONS "-d,--delimiters= -s,--serial -z,--zero-terminated", "R*", 0,
     "GNU paste(1)"},
    {"pg", "", "@noplus*", EFFECT_UNKNOWN, "pg(1)"},
    {"pico", "", EDITOR, 0, "pico(1)"},
    {"pr",
     "number plus " GNU_OPTIONS
     "--columns= --pages= -a,--across -c,--show-control-chars -d,--double-space -D,--date-format= "
     "-e?= -F,-f,--form-feed -h,--header= -i?= -J,--join-lines -l,--length= -m,--merge -n?= "
     "-N,--first-line-number= -o,--indent= -r,--no-file-warnings -s?= -S?= -t,--omit-header "
     "-T,--omit-pagination -v,--show-nonprinting -w,--width= -W,--page-width=",
     "R*", 0, "GNU pr(1)"},
    {"ptx",
     GNU_OPTIONS
     "-A,--auto-reference -f,--ignore-case -w,--width= -g,--gap-size= -r,--references "
     "-W,--word-regexp= -i,--ignore-file=R -o,--only-file=R -b,--break-file=R -G,--traditional",
     "{-G} R W | R*", 0, "GNU ptx(1)"},
    {"red", "=ed", "", 0, "GNU ed(1)"},
    {"rev", "mixed abbrev %-h,--help %-V,--version", "R*", 0, "rev(1), util-linux"},
    {"rg",
     "mixed %-h,--help %-V,--version -e,--regexp=@pattern -f,--file=R --pre=X --pre-glob= --no-pre "
     "!-z,--search-zip --no-search-zip -s,--case-sensitive --crlf --no-crlf -E,--encoding= "
     "--no-encoding --engine= -F,--fixed-strings --no-fixed-strings -i,--ignore-case "
     "-v,--invert-match --no-invert-match -x,--line-regexp -m,--max-count= --mmap --no-mmap "
     "-U,--multiline --no-multiline --multiline-dotall --no-multiline-dotall --unicode "
     "--no-unicode --null-data -P,--pcre2 --no-pcre2 --regex-size-limit= --dfa-size-limit= "
     "-S,--smart-case --stop-on-nonmatch -a,--text --no-text -j,--threads= -w,--word-regexp "
     "--auto-hybrid-regex --no-auto-hybrid-regex --binary --no-binary -L,--follow --no-follow "
     "-g,--glob=@only --glob-case-insensitive -.,--hidden --no-hidden --iglob=@only "
     "--ignore-file=R --ignore-file-case-insensitive -d,--max-depth,--maxdepth= --max-filesize= "
     "--no-ignore --ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files "
     "--no-ignore-global --no-ignore-parent --no-ignore-vcs --no-require-git --one-file-system "
     "-t,--type= -T,--type-not= --type-add=@only --type-clear= -u,--unrestricted "
     "-A,--after-context= -B,--before-context= -C,--context= --block-buffered -b,--byte-offset "
     "--color= --colors= --column --no-column --context-separator= --no-context-separator "
     "--field-context-separator= --field-match-separator= --heading --no-heading --hostname-bin=X "
     "--hyperlink-format= --include-zero --no-include-zero --line-buffered -n,--line-number "
     "-N,--no-line-number -M,--max-columns= --max-columns-preview -0,--null -o,--only-matching "
     "--path-separator= --passthru,--passthrough -p,--pretty -q,--quiet -r,--replace= --sort= "
     "--sortr= --sort-files --trim --no-trim --vimgrep -H,--with-filename -I,--no-filename "
     "-c,--count --count-matches -l,--files-with-matches --files-without-match --json --no-json "
     "--debug --trace --no-ignore-messages --no-messages --messages --stats --no-stats --files "
     "--generate= --no-config --pcre2-version --type-list",
     "{--files} -g=. --iglob=. --type-add=. b* cwd | {--type-list,--pcre2-version,--generate} none "
     "| {-e,-f} r* cwd | @pattern r* cwd", 0, "rg(1) 14", .follows = "-L",
     .unhides = "-. -u --type-add", .broadens = "-v -f -u --no-ignore --no-ignore-dot --no-ignore-exclude "
     "--no-ignore-files --no-ignore-global --no-ignore-parent --no-ignore-vcs --passthru "
     "--null-data", .prints = PRINTS_LINES, .set_by = "RIPGREP_CONFIG_PATH"},
    {"rview", "=vi", "", 0, "vim(1)"},
    {"rvim", "=vi", "", 0, "vim(1)"},
    {"sdiff",
     GNU_OPTIONS
     "-v -o,--output=W -i,--ignore-case -E,--ignore-tab-expansion -Z,--ignore-trailing-space "
     "-b,--ignore-space-change -W,--ignore-all-space -B,--ignore-blank-lines "
     "-I,--ignore-matching-lines= --strip-trailing-cr -a,--text -w,--width= -l,--left-column "
     "-s,--suppress-common-lines -t,--expand-tabs --tabsize= -d,--minimal -H,--speed-large-files "
     "--diff-program=X",
     "{-o} ^unknown r r | r r", 0,
     "GNU sdiff(1); with -o it asks for an editor. Of two directories it prints the files in them",
     .follows = "*", .same = "-v,--version"},
    {"sed",
     GNU_OPTIONS
     "-n,--quiet,--silent --debug -e,--expression=@sed !-f,--file=F --follow-symlinks "
     "-i,--in-place?=@suffix -l,--line-length=@number --posix -E,-r,--regexp-extended "
     "-s,--separate --sandbox -u,--unbuffered -z,--null-data,--zero-terminated",
     /* -i '': GNU's script is empty then and changes nothing, BSD's is the next word */
     "{-e,-f} {-i} {empty} . RW* | {-e,-f} {-i} RW* | {-e,-f} R* | {-i} {empty} . @sed RW* | {-i} "
     "@sed RW* | @sed R*", 0,
     "GNU sed(1) 4.9; sed(1) of FreeBSD", .danger = DANGER_CODE, .launches = "e"},
    {"seq",
     "number abbrev %--help %--version -f,--format= -s,--separator= -w,--equal-width",
     ". . .", 0, "GNU seq(1)"},
    {"sha1sum", "=md5sum", "", 0, "GNU sha1sum(1)"},
    {"sha224sum", "=md5sum", "", 0, "GNU sha224sum(1)"},
    {"sha256sum", "=md5sum", "", 0, "GNU sha256sum(1)"},
    {"sha384sum", "=md5sum", "", 0, "GNU sha384sum(1)"},
    {"sha512sum", "=md5sum", "", 0, "GNU sha512sum(1)"},
    {"shasum",
     "mixed abbrev %-h,--help %-v,--version -a,--algorithm= -b,--binary -c,--check --tag -t,--text "
     "-U,--UNIVERSAL -0,--01 --ignore-missing -q,--quiet -s,--status --strict -w,--warn",
     "R*", 0, "shasum(1)", .names_in = "-c --check"},
    {"shuf",
     GNU_OPTIONS
     "-e,--echo -i,--input-range= -n,--head-count= -o,--output=W --random-source=R -r,--repeat "
     "-z,--zero-terminated",
     "{-e} .* | {-i} none | R", 0, "GNU shuf(1)", .prints = PRINTS_LINES},
    {"sort",
     GNU_OPTIONS
     "-b,--ignore-leading-blanks -d,--dictionary-order -f,--ignore-case -g,--general-numeric-sort "
     "-i,--ignore-nonprinting -M,--month-sort -h,--human-numeric-sort -n,--numeric-sort "
     "-R,--random-sort --random-source=R -r,--reverse --sort= -V,--version-sort --batch-size= -c "
     "-C --check?= --compress-program=X --debug !--files0-from=R -k,--key= -m,--merge "
     "-o,--output=W -s,--stable -S,--buffer-size= -t,--field-separator= -T,--temporary-directory=W "
     "--parallel= -u,--unique -z,--zero-terminated",
     "R*", 0, "GNU sort(1)", .prints = PRINTS_LINES, .names_in = "--files0-from"},
    {"strings",
     "number " GNU_OPTIONS
     "-a,--all -d,--data -f,--print-file-name -n,--bytes= -t,--radix= -w,--include-all-whitespace "
     "-o -T,--target= -e,--encoding= -U,--unicode= -s,--output-separator=",
     "@input*", 0, "strings(1), binutils; an @file names other files"},
    {"sum", GNU_OPTIONS "-r -s,--sysv", "R*", 0, "GNU sum(1)"},
    {"tac", GNU_OPTIONS "-b,--before -r,--regex -s,--separator=", "R*", 0, "GNU tac(1)", .prints = PRINTS_LINES},
    {"tail",
     "number plus " GNU_OPTIONS
     "-c,--bytes= -f --follow?= -F -n,--lines= --max-unchanged-stats= --pid= -q,--quiet,--silent "
     "--retry -s,--sleep-interval= -v,--verbose -z,--zero-terminated",
     "R*", 0, "GNU tail(1)", .leaves_input = true, .opens = "1qv0123456789", .prints = PRINTS_LINES,
     .same = "-f,--follow"},
    {"tr",
     GNU_OPTIONS
     "-c,-C,--complement -d,--delete -s,--squeeze-repeats -t,--truncate-set1",
     ". .", 0, "GNU tr(1)"},
    {"tsort", GNU_OPTIONS, "R", 0, "GNU tsort(1)"},
    {"unexpand", "number " GNU_OPTIONS "-a,--all --first-only -t,--tabs=", "R*", 0,
     "GNU unexpand(1)"},
    {"uniq",
     GNU_OPTIONS
     "-c,--count -d,--repeated -D --all-repeated?= -f,--skip-fields= --group?= -i,--ignore-case "
     "-s,--skip-chars= -u,--unique -z,--zero-terminated -w,--check-chars=",
     "R W", 0, "GNU uniq(1)", .prints = PRINTS_LINES},
    {"vi", "", EDITOR, 0, "vim(1): -c, --cmd, + and -S run commands, and so does what it reads", .danger = DANGER_CODE, .also = "vim,nvim,ex,gvim"},
    {"view", "=vi", "", 0, "vim(1)"},
    {"vim", "=vi", "", 0, "vim(1)"},
    {"vimdiff", "=vi", "", 0, "vim(1)"},
    {"wc",
     GNU_OPTIONS
     "-c,--bytes -m,--chars -l,--lines !--files0-from=R -L,--max-line-length -w,--words --total=",
     "{-l,-m,-w,-L} R* | {-c} B* | R*", 0, "GNU wc(1): -c is the size", .leaves_input = true, .opens = "1lcwm", .names_in = "--files0-from"},
    {"xxd",
     "+long -a,-autoskip -b,-bits -C,-capitalize -c,-cols= -E,-EBCDIC -e -g,-groupsize= %-h,-help "
     "-i,-include -l,-len= -n,-name= -o= -p,-ps,-plain,-postscript -r,-revert -d -s,-seek= "
     "-u,-uppercase -v,-version -R=",
     "R W", 0, "xxd(1) 2022-01-14"},
    {"yq",
     "mixed %-h,--help %-V,--version -r,--raw-output,--unwrapScalar -y,--yaml-output "
     "-n,--null-input -e,--exit-status -P,--prettyPrint -C,--colors -M,--no-colors -c -S "
     "-N,--no-doc -o,--output-format= -p,--input-format= -I,--indent= -i,--in-place,--inplace "
     "--arg=.,.",
     "{-i} @yq RW* | @yq R*", 0, "yq 3.1 (wrapper of jq) and 4.40 (Go): -s slurps in one, writes "
     "files in the other", .same = "--indentless,--indentless-lists --yml-roundtrip,--yaml-roundtrip --yml-output,--yaml-output"},
    {"yq e", "=yq", "", 0, "yq 4.40"},
    {"yq ea", "=yq", "", 0, "yq 4.40"},
    {"yq eval", "=yq", "", 0, "yq 4.40"},
    {"yq eval-all", "=yq", "", 0, "yq 4.40"},
    {"zgrep",
     "mixed -E -F -G -P -i -v -n -l -L -c -h -H -o -q -s -w -x -e= -A= -B= -C= -m=",
     "{-e} R* | . R*", 0, "zgrep(1)"},
    {"zless", "=less", "", 0, "zless(1)"},
    {"zmore", "=more", "", 0, "zmore(1)"},
};
/* clang-format on */

extern const struct program_file rows_text;
const struct program_file rows_text = {"programs/rows/text.c", rows, COUNT(rows)};
