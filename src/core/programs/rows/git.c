/* clang-format off: it would fill the list below */
/* git.c - git.
 *
 * What the table cannot see: even `git status` runs code when the repository says so.
 * core.fsmonitor, core.hooksPath, core.pager, core.sshCommand, diff.*.textconv, diff.external,
 * filter.*.clean, merge.*.driver, gpg.program, credential.helper and every alias are commands, read
 * from the configuration of the repository that git finds from the working directory: a nested one,
 * a bare one (any directory with HEAD, objects and refs in it), a submodule, or the one that
 * --git-dir names. So these rows are worth something only in the session's own repository, whose
 * .git is protected, and without GIT_* in the environment; the layer that calls a command harmless
 * asks for both.
 *
 * The rules of thumb:
 *  - Commands that decide what later commands do, or which host they talk to (config, remotes,
 *    hooks, submodule URLs), are EFFECT_UNKNOWN. So are those that make a tree out of their input:
 *    the paths that they write are in no word.
 *  - Commands that open an editor have EFFECT_EDITOR: vi takes `:!command` from a pipe (commit
 *    without a message, add -p).
 *  - Operands of commands that print contents are paths that are read with all below them: a
 *    revision is then a path that does not exist, which costs nothing, but
 *    `git diff /dev/null ~/.ssh/id_rsa` is two files, without any option.
 *  - An option of git that is the beginning of a listed one is listed, too: abbreviations must not
 *    turn it into the other.
 *  - "--contains" and its kind take the next word unless they are last. They are listed as if they
 *    took an attached value only: git stops at a value that is no commit, so nothing can hide
 *    there. */
/* clang-format on */
#include "programs/programs.h"

#define HELP "%-h,--help "

/* Prints with the machinery of git diff. --output truncates its file while options are still being
 * read, so no option here has a %. */
#define DIFF                                                                                       \
    "-p,-u,--patch -s,--no-patch -U,--unified?= -W,--function-context --no-function-context "      \
    "--raw --patch-with-raw "                                                                      \
    "--patch-with-stat --numstat --shortstat -X,--dirstat?= --cumulative --dirstat-by-file?= "     \
    "--check --summary "                                                                           \
    "--name-only --name-status --stat?= --no-stat --stat-width= --stat-name-width= "               \
    "--stat-graph-width= --stat-count= "                                                           \
    "--compact-summary --no-compact-summary --binary --full-index --no-full-index --color?= "      \
    "--no-color "                                                                                  \
    "--ws-error-highlight= -z --abbrev?= --no-abbrev --src-prefix= --dst-prefix= --line-prefix= "  \
    "--no-prefix "                                                                                 \
    "--default-prefix --inter-hunk-context= --output-indicator-new= --output-indicator-old= "      \
    "--output-indicator-context= -B,--break-rewrites?= -M,--find-renames?= "                       \
    "-D,--irreversible-delete "                                                                    \
    "-C,--find-copies?= --find-copies-harder --no-renames --rename-empty --no-rename-empty "       \
    "--follow --no-follow "                                                                        \
    "--minimal -w,--ignore-all-space -b,--ignore-space-change --ignore-space-at-eol "              \
    "--ignore-cr-at-eol "                                                                          \
    "--ignore-blank-lines -I,--ignore-matching-lines= --indent-heuristic --no-indent-heuristic "   \
    "--patience "                                                                                  \
    "--histogram --diff-algorithm= --anchored= --word-diff?= --word-diff-regex= --color-words?= "  \
    "--color-moved?= "                                                                             \
    "--no-color-moved --color-moved-ws= --no-color-moved-ws --relative?= --no-relative -a,--text " \
    "--no-text -R "                                                                                \
    "--exit-code "                                                                                 \
    "--quiet !--ext-diff --no-ext-diff !--textconv --no-textconv --ignore-submodules?= "           \
    "--submodule?= "                                                                               \
    "--ita-invisible-in-index --ita-visible-in-index -S= -G= --pickaxe-all --pickaxe-regex -O=R "  \
    "--rotate-to= "                                                                                \
    "--skip-to= --find-object= --diff-filter= --output=W -m -c --cc --combined-all-paths "         \
    "--diff-merges= "                                                                              \
    "--no-diff-merges --remerge-diff --dd "

/* Chooses commits. -n, -l, -t, -v and --committer differ between commands and are in their rows. */
#define REVISIONS                                                                                  \
    "abbrev mixed number --max-count= --skip= --since= --after= --until= --before= "               \
    "--since-as-filter= --max-age= "                                                               \
    "--min-age= --author= --grep-reflog= --grep= --all-match --invert-grep "                       \
    "-i,--regexp-ignore-case "                                                                     \
    "--basic-regexp -E,--extended-regexp -F,--fixed-strings -P,--perl-regexp --remove-empty "      \
    "--merges --no-merges "                                                                        \
    "--min-parents?= --max-parents?= --no-min-parents --no-max-parents --first-parent "            \
    "--exclude-first-parent-only --not --all --branches?= --tags?= --remotes?= --glob= "           \
    "--exclude= --exclude-hidden= "                                                                \
    "--reflog --alternate-refs --single-worktree --ignore-missing --bisect --stdin --cherry-mark " \
    "--cherry-pick "                                                                               \
    "--cherry --left-only --right-only --left-right -g,--walk-reflogs --merge --boundary "         \
    "--simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges "     \
    "--ancestry-path?= "                                                                           \
    "--date-order --author-date-order --topo-order --reverse --no-walk?= --do-walk --pretty?= "    \
    "--format?= "                                                                                  \
    "--abbrev-commit --no-abbrev-commit --oneline --encoding= --expand-tabs?= --no-expand-tabs "   \
    "--notes?= "                                                                                   \
    "--no-notes --show-notes?= --show-signature --no-show-signature --relative-date --date= "      \
    "--parents --children "                                                                        \
    "--graph --no-graph --show-linear-break?= --log-size --full-diff --count --root --default= "

/* The options with which git log prints contents, or says which commits have some. */
#define PATCHES                                                                                    \
    "-p -U -W -c --cc -m --dd --diff-merges --remerge-diff --patch-with-raw "                      \
    "--patch-with-stat --binary --word-diff --word-diff-regex --color-words --check -L -S -G"
#define LOG                                                                                        \
    REVISIONS DIFF "-n= -l= -t -r -q --committer= --source --use-mailmap,--mailmap "               \
                   "--no-use-mailmap,--no-mailmap --decorate?= "                                   \
                   "--no-decorate --clear-decorations --decorate-refs= --decorate-refs-exclude= "  \
                   "-L=@rev --help"

/* A log prints contents only with these. */
#define PRINTS_DIFF                                                                                \
    "{-p,-U,-W,-c,--cc,-m,--dd,--diff-merges,--remerge-diff,--patch-with-raw,--patch-with-stat,--" \
    "binary,"                                                                                      \
    "--word-diff,--word-diff-regex,--color-words} @rev* | "
#define LOG_OPERANDS PRINTS_DIFF "{-L} @rev* | .*"

/* Chooses refs of a list. */
#define REFS                                                                                       \
    "--contains?= --no-contains?= --merged?= --no-merged?= --points-at?= --sort= --no-sort "       \
    "--format= --color?= "                                                                         \
    "--no-color --omit-empty "

#define PATHSPEC_FILE "--pathspec-from-file=R --pathspec-file-nul "
#define FETCH                                                                                      \
    "abbrev mixed -v,--verbose -q,--quiet --progress --no-progress --all -a,--append "             \
    "--upload-pack=X -t,--tags "                                                                   \
    "--no-tags -p,--prune --no-prune --dry-run -k,--keep ^repository--depth= "                     \
    "^repository--shallow-since= "                                                                 \
    "^repository--shallow-exclude= "                                                               \
    "^repository--deepen= ^repository--unshallow !--update-shallow !--refmap= "                    \
    "!-o,--server-option= -4,--ipv4 "                                                              \
    "-6,--ipv6 "                                                                                   \
    "--negotiation-tip= --show-forced-updates --no-show-forced-updates --recurse-submodules?= "    \
    "--no-recurse-submodules ^loss-f,--force ^repository--set-upstream "
#define MERGING                                                                                    \
    "--stat --no-stat --log?= --no-log --signoff --no-signoff --squash --no-squash --commit "      \
    "--no-commit !--edit "                                                                         \
    "--no-edit --cleanup= --ff --no-ff --ff-only --verify !--no-verify --verify-signatures "       \
    "--no-verify-signatures "                                                                      \
    "--autostash --no-autostash !-s,--strategy= -X,--strategy-option=@strategy !-S,--gpg-sign?= "  \
    "--no-gpg-sign "                                                                               \
    "--allow-unrelated-histories "
#define PICKING                                                                                    \
    "abbrev mixed --quit ^editor--continue ^loss--abort ^loss--skip --cleanup= -n,--no-commit "    \
    "!-e,--edit "                                                                                  \
    "--no-edit "                                                                                   \
    "-s,--signoff --no-signoff -m,--mainline= --rerere-autoupdate --no-rerere-autoupdate "         \
    "!--strategy= "                                                                                \
    "-X,--strategy-option=@strategy !-S,--gpg-sign?= --no-gpg-sign "
#define STASHING                                                                                   \
    "abbrev mixed -k,--keep-index --no-keep-index -S,--staged !-p,--patch -q,--quiet "             \
    "-u,--include-untracked "                                                                      \
    "--no-include-untracked ^secrets-a,--all -m,--message= " PATHSPEC_FILE
#define SWITCHING                                                                                  \
    "abbrev mixed --guess --no-guess -q,--quiet --recurse-submodules?= --no-recurse-submodules "   \
    "--progress "                                                                                  \
    "--no-progress ^loss-m,--merge --conflict= -d,--detach -t,--track?= --no-track "               \
    "^loss-f,--force "                                                                             \
    "--orphan= "                                                                                   \
    "--overwrite-ignore --no-overwrite-ignore --ignore-other-worktrees "
#define NOTE                                                                                       \
    "abbrev mixed -m,--message= -F,--file=R !-c,--reedit-message= -C,--reuse-message= "            \
    "--allow-empty "

#define GIT_CONFIG_FILE "abbrev mixed --global --system --local --worktree -f,--file=W "
static const struct program_row rows[] = {
    {"git",
     "-C=P --no-pager -P -p --paginate --no-optional-locks --no-replace-objects --no-lazy-fetch "
     "--no-advice "
     "--literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path "
     "--man-path --info-path "
     "-v --version -h --help -c=@gitset !--config-env=X !--exec-path?=X !--git-dir=X "
     "!--work-tree=X "
     "!--namespace= "
     "!--super-prefix= !--attr-source= !--bare !--shallow-file=",
     "{0} none | sub", 0, "git(1); pager.c: no pager without a terminal", .danger = DANGER_MANY,
     /* a setting may say what an option says: which one, is known of some */
     .implies = "-c=core.hookspath*>--no-verify --config-env=core.hookspath*>--no-verify "
                "-c=commit.gpgsign=true>--gpg-sign -c=commit.gpgsign=false>--no-gpg-sign "
                "-c=tag.gpgsign=true>--sign -c=tag.gpgsign=false>--no-sign "
                "-c=pull.rebase=true>--rebase -c=pull.rebase=false>--no-rebase "
                "-c=pull.ff=only>--ff-only -c=pull.ff=false>--no-ff -c=merge.ff=only>--ff-only "
                "-c=merge.ff=false>--no-ff -c=fetch.prune=true>--prune",
     .set_by = "GIT_CONFIG* HOME XDG_CONFIG_HOME GIT_DIR>--git-dir GIT_DIR>--no-verify "
               "GIT_WORK_TREE>--work-tree HUSKY*>--no-verify LEFTHOOK*>--no-verify "
               "OVERCOMMIT*>--no-verify PRE_COMMIT*>--no-verify SKIP*>--no-verify "
               "GIT_CONFIG*>--no-verify HOME>--no-verify XDG_CONFIG_HOME>--no-verify",
     .options_in = "-c --config-env",
     .no_options = "advice.* author.* color.* committer.* core.abbrev core.autocrlf core.editor "
                   "core.eol core.filemode core.pager core.quotepath core.safecrlf gc.auto "
                   "init.defaultbranch maintenance.auto merge.conflictstyle protocol.version "
                   "safe.directory sequence.editor user.*",
     /* pre-commit and lefthook: their hooks in .git read these */
     .starts_from = ".pre-commit-config.yaml .lefthook.yml lefthook.yaml lefthook.yml"},
    {"git add",
     "abbrev mixed -n,--dry-run -v,--verbose ^editor-i,--interactive ^editor-p,--patch "
     "^editor-e,--edit "
     "!-f,--force -u,--update "
     "--renormalize -N,--intent-to-add -A,--all --no-all --ignore-removal --no-ignore-removal "
     "--refresh "
     "--ignore-errors --ignore-missing --sparse --chmod= " PATHSPEC_FILE HELP,
     "{-n} .* | ^repository R*", 0, "git-add(1)", .leaves_files = true, .shows = SHOWS_NOTHING,
     .takes = "-A -u --pathspec-from-file", .also = "git stage", .names_in = "--pathspec-from-file"},
    {"git am",
     "abbrev mixed !-i,--interactive -3,--3way -q,--quiet -s,--signoff -k,--keep --keep-non-patch "
     "--keep-cr "
     "-c,--scissors "
     "--continue,-r,--resolved ^loss--skip ^loss--abort --quit --show-current-patch?= " HELP,
     "{--show-current-patch} none | ^repository^unknown R*", 0, "git-am(1)",
     .broadens = "--show-current-patch", .takes = "*", .saves = SAVES_TREE},
    {"git annotate", "=git blame", "", 0, "git-annotate(1)"},
    {"git apply",
     "abbrev mixed --exclude= --include= -p= --no-add --stat --numstat --summary --check --index "
     "-N,--intent-to-add "
     "--cached !--unsafe-paths --apply -3,--3way --build-fake-ancestor=W -z -C= --whitespace= "
     "--ignore-space-change "
     "--ignore-whitespace -R,--reverse --unidiff-zero --reject --allow-overlap -v,--verbose "
     "-q,--quiet "
     "--inaccurate-eof --recount --directory= --allow-empty " HELP,
     "{--apply} ^repository^unknown R* | {--check,--stat,--numstat,--summary} R* | "
     "^repository^unknown R*",
     0, "git-apply(1); apply.c", .rewrites = "--apply",
     .spares = "--cached --check --stat --numstat --summary", .shows = SHOWS_NOTHING, .takes = "*"},
    {"git archive",
     "abbrev mixed number --format= --prefix= --add-file=R --add-virtual-file= -o,--output=W "
     "--worktree-attributes "
     "-v,--verbose -l,--list --remote=M --exec=X --mtime= --help",
     "r*", 0, "git-archive(1)", .follows = ""},
    {"git bisect", "--help", "sub", 0, "git-bisect(1)", .shows = SHOWS_NOTHING},
    {"git bisect bad", "mixed", "@commit*", EFFECT_REPO, "git-bisect(1)", .shows = SHOWS_NOTHING},
    {"git bisect good", "mixed", "@commit*", EFFECT_REPO, "git-bisect(1)", .shows = SHOWS_NOTHING},
    {"git bisect help", "", "none", 0, "git-bisect(1)", .shows = SHOWS_NOTHING},
    {"git bisect log", "", "none", 0, "git-bisect(1)", .shows = SHOWS_NOTHING},
    {"git bisect new", "mixed", "@commit*", EFFECT_REPO, "git-bisect(1)", .shows = SHOWS_NOTHING},
    {"git bisect next", "", "none", EFFECT_REPO, "git-bisect(1)", .shows = SHOWS_NOTHING},
    {"git bisect old", "mixed", "@commit*", EFFECT_REPO, "git-bisect(1)", .shows = SHOWS_NOTHING},
    {"git bisect replay", "mixed", "R", EFFECT_REPO | EFFECT_UNKNOWN,
     "git-bisect(1); before 2.29 a script that evaluates it", .shows = SHOWS_NOTHING},
    {"git bisect reset", "mixed", "@commit", EFFECT_REPO, "git-bisect(1)", .shows = SHOWS_NOTHING},
    {"git bisect run", "", "I", EFFECT_CODE | EFFECT_REPO, "git-bisect(1)"},
    {"git bisect skip", "mixed", "@commit*", EFFECT_REPO, "git-bisect(1)", .shows = SHOWS_NOTHING},
    {"git bisect start",
     "mixed --term-new= --term-bad= --term-old= --term-good= --no-checkout --first-parent",
     "@commit*", EFFECT_REPO, "git-bisect(1)", .shows = SHOWS_NOTHING},
    {"git bisect terms", "--term-good --term-bad --term-old --term-new", "none", 0, "git-bisect(1)",
     .shows = SHOWS_NOTHING},
    {"git blame",
     "abbrev mixed --incremental -b --root --no-root --show-stats --progress --no-progress "
     "--score-debug "
     "-f,--show-name -n,--show-number -p,--porcelain --line-porcelain -c -t -l -s -e,--show-email "
     "--no-show-email -w "
     "--ignore-rev= --ignore-revs-file=R --color-lines --color-by-age --minimal -S=R --contents=R "
     "-C?= -M?= -L= "
     "--abbrev?= --no-abbrev --date= --since= --first-parent --reverse --encoding= "
     "--diff-algorithm= "
     "!--textconv --no-textconv --help",
     "R*", 0, "git-blame(1)", .also = "git annotate"},
    {"git branch",
     "abbrev mixed " REFS "-v,--verbose --no-verbose -q,--quiet ^repository-t,--track?= --no-track "
     "^repository-u,--set-upstream-to= "
     "^repository--set-upstream ^repository--unset-upstream -r,--remotes --with?= --without?= "
     "--abbrev?= --no-abbrev "
     "-a,--all "
     "^repository-d,--delete ^loss-D ^repository-m,--move ^loss-M ^repository-c,--copy ^loss-C "
     "-l,--list --show-current "
     "^repository--create-reflog "
     "!--edit-description -f,--force --column?= --no-column -i,--ignore-case "
     "--recurse-submodules " HELP,
     "{-l,--contains,--no-contains,--with,--without,--merged,--no-merged,--points-at,--show-"
     "current} .* | "
     "{0} none | {-f} {-d,-m,-c} ^loss .* | {-d,-D} .* | "
     "{-m,-M,-c,-C,-u,--set-upstream,--unset-upstream} ^repository . . | ^repository . @commit",
     0,
     "git-branch(1); branch.c: which options list; -f alone leaves the old tip in the branch's "
     "log",
     .leaves_files = true, .leaves_input = true, .shows = SHOWS_NOTHING,
     .implies = "-D:-d,-f -M:-m,-f -C:-c,-f", .saves = SAVES_REFS},
    {"git bundle", "--help", "sub", 0, "git-bundle(1)", .shows = SHOWS_NOTHING},
    {"git bundle create",
     REVISIONS "-n= -q,--quiet --progress --all-progress --all-progress-implied --version=", "W .*",
     0, "git-bundle(1)"},
    {"git bundle list-heads", "mixed", "R .*", 0, "git-bundle(1)", .shows = SHOWS_NOTHING},
    /* the trees in a bundle may come from anyone, and a checkout writes what they say */
    {"git bundle unbundle", "mixed --progress", "R .*", EFFECT_REPO | EFFECT_UNKNOWN,
     "git-bundle(1)", .shows = SHOWS_NOTHING},
    {"git bundle verify", "mixed -q,--quiet", "R", 0, "git-bundle(1)", .shows = SHOWS_NOTHING},
    {"git cat-file",
     "abbrev mixed -e -p -t -s --allow-unknown-type --use-mailmap,--mailmap --batch?= "
     "--batch-check?= "
     "--batch-command?= "
     "-z -Z --batch-all-objects --buffer --no-buffer --follow-symlinks --unordered !--textconv "
     "!--filters --path= "
     "--filter= --help",
     "{--batch,--batch-command} ^unknown none | @rev*", 0, "git-cat-file(1)", .leaves_input = true},
    {"git check-attr", "abbrev mixed -a,--all --cached --stdin -z --source= " HELP, ".*", 0,
     "git-check-attr(1)", .shows = SHOWS_NOTHING},
    {"git check-ignore",
     "abbrev mixed -q,--quiet -v,--verbose --stdin -z -n,--non-matching --no-index " HELP, ".*", 0,
     "git-check-ignore(1)", .shows = SHOWS_NOTHING},
    {"git check-mailmap", "abbrev mixed --stdin " HELP, ".*", 0, "git-check-mailmap(1)",
     .shows = SHOWS_NOTHING},
    {"git check-ref-format",
     "mixed --branch --normalize --print --allow-onelevel --no-allow-onelevel --refspec-pattern",
     ".*", 0, "git-check-ref-format(1)", .shows = SHOWS_NOTHING},
    {"git checkout",
     SWITCHING "-b= ^loss-B= -l --overlay --no-overlay -2,--ours -3,--theirs !-p,--patch "
               "--ignore-skip-worktree-bits " PATHSPEC_FILE HELP,
     /* one operand may be a branch or a file whose changes are lost */
     "{-b,-B,-d,-t,--orphan} ^repository @commit | {--pathspec-from-file} ^repository^loss "
     "@treeish* "
     "| {0} none | ^repository^loss @restored w*",
     0, "git-checkout(1)", .shows = SHOWS_NOTHING, .takes = "-m", .saves = SAVES_FILES, .names_in = "--pathspec-from-file"},
    {"git cherry", "abbrev mixed --abbrev?= -v,--verbose " HELP, ". . .", 0, "git-cherry(1)",
     .shows = SHOWS_NOTHING},
    {"git cherry-pick",
     PICKING "-x --ff --allow-empty --allow-empty-message --keep-redundant-commits --empty= " HELP,
     "@commit*", EFFECT_REPO, "git-cherry-pick(1); sequencer.c: no editor without a terminal",
     .shows = SHOWS_NOTHING, .saves = SAVES_TREE},
    {"git clean",
     "abbrev mixed -q,--quiet -n,--dry-run -f,--force !-i,--interactive -d -e,--exclude= -x "
     "-X " HELP,
     "{-n} .* | ^loss d* cwd", 0, "git-clean(1)", .shows = SHOWS_NOTHING, .saves = SAVES_TREE},
    {"git clone",
     "abbrev mixed -v,--verbose -q,--quiet --progress --no-progress --reject-shallow "
     "-n,--no-checkout --bare --mirror "
     "-l,--local --no-local --no-hardlinks -s,--shared --recurse-submodules,--recursive?= "
     "-j,--jobs= !--template=F "
     "--reference=R --reference-if-able=R --dissociate -o,--origin= -b,--branch= "
     "-u,--upload-pack=X --depth= "
     "--shallow-since= --shallow-exclude= --single-branch --no-single-branch --tags --no-tags "
     "--shallow-submodules "
     "--no-shallow-submodules --separate-git-dir=W !-c,--config=@gitset --server-option= -4,--ipv4 "
     "-6,--ipv6 --filter= "
     "--also-filter-submodules --remote-submodules --sparse --bundle-uri=N --revision= " HELP,
     "N w", EFFECT_NETWORK, "git-clone(1)", .rewrites = ""},
    {"git column",
     "abbrev mixed --command= --mode?= --raw-mode= --width= --indent= --nl= --padding= " HELP,
     "none", 0, "git-column(1)", .shows = SHOWS_NOTHING},
    {"git commit",
     "abbrev mixed -q,--quiet --no-quiet -v,--verbose -F,--file=R --author= --date= -m,--message= "
     "!-c,--reedit-message= "
     "-C,--reuse-message= --fixup= --squash= --reset-author --trailer= -s,--signoff --no-signoff "
     "-t,--template=R "
     "!-e,--edit --no-edit --cleanup= --status --no-status !-S,--gpg-sign?= --no-gpg-sign -a,--all "
     "-i,--include "
     "!--interactive !-p,--patch -o,--only !-n,--no-verify --verify --dry-run --short --branch "
     "--ahead-behind "
     "--no-ahead-behind --porcelain --long -z,--null --amend --no-post-rewrite "
     "-u,--untracked-files?= --allow-empty "
     "--allow-empty-message " PATHSPEC_FILE HELP,
     "{-h,--dry-run,--short,--porcelain} .* | {-m,-F,-C,--no-edit} ^repository R* | "
     "^repository^editor R*",
     0, "git-commit(1)", .leaves_files = true, .broadens = "-v", .shows = SHOWS_INDEX,
     .takes = "-a --pathspec-from-file", .names_in = "--pathspec-from-file"},
    {"git commit-graph", "--object-dir=R", "sub", 0, "git-commit-graph(1)", .shows = SHOWS_NOTHING},
    {"git commit-graph verify", "abbrev mixed --object-dir=R --shallow --progress --no-progress",
     "none", 0, "git-commit-graph(1)", .shows = SHOWS_NOTHING},
    {"git commit-graph write",
     "abbrev mixed --object-dir=W --append --split?= --reachable --stdin-packs --stdin-commits "
     "--changed-paths "
     "--progress --no-progress",
     "none", EFFECT_REPO, "git-commit-graph(1)", .shows = SHOWS_NOTHING},
    {"git commit-tree", "mixed -p= -m= -F=R -S?= --gpg-sign?= --no-gpg-sign", ".",
     EFFECT_REPO | EFFECT_UNKNOWN, "git-commit-tree(1): any tree, of which no branch knows",
     .leaves_files = true, .same = "-S,--gpg-sign", .shows = SHOWS_NOTHING},
    {"git config",
     /* the values of http.*.extraHeader, url.* and remote.*.url may carry tokens */
     "abbrev mixed --global --system --local --worktree -f,--file=R --blob= --get --get-all "
     "^secrets--get-regexp "
     "^secrets--get-urlmatch --get-color --get-colorbool ^secrets-l,--list !--replace-all !--add "
     "!--append "
     "!--unset !--unset-all "
     "!--rename-section !--remove-section !-e,--edit !--comment= --fixed-value -t,--type= "
     "--no-type --bool --int "
     "--bool-or-int --bool-or-str --path --expiry-date -z,--null --name-only --includes "
     "--no-includes --show-origin "
     "--show-scope --show-names --default= --value= --all --regexp --url= " HELP,
     /* what is written is git's own file, or the one that -f names */
     "{--replace-all,--add,--append,--unset,--unset-all,--rename-section,--remove-section,-e} "
     "^repository -f=W "
     ".* cwd=@gitfile "
     "| {-l} none | {--get,--get-all,--get-regexp,--get-urlmatch,--get-color,--get-colorbool} "
     "@gitread . | {1} @gitread "
     "| {-f} ^unknown -f=W .* "
     "| {--global,--system,--worktree,--blob} ^unknown .* cwd=@gitfile "
     "| {2} ^repository @gitkey . | {0} ^unknown none | ^unknown .* cwd=@gitfile",
     0, "git-config(1)", .leaves_files = true, .prints_urls = true, .broadens = "--blob"},
    {"git config edit", GIT_CONFIG_FILE, ".* cwd=@gitfile", EFFECT_UNKNOWN,
     "git-config(1) since 2.46", .shows = SHOWS_NOTHING},
    {"git config get",
     "abbrev mixed --global --system --local --worktree -f,--file=R --blob= --all ^secrets--regexp "
     "--value= --fixed-value "
     "^secrets--url= -t,--type= --no-type --bool --int --path -z,--null --name-only --show-names "
     "--no-show-names --includes "
     "--no-includes --show-origin --show-scope --default= " HELP,
     "@gitread", 0, "git-config(1) since 2.46; older ones refuse a key without a dot",
     .prints_urls = true, .broadens = "--blob"},
    {"git config list",
     "abbrev mixed --global --system --local --worktree -f,--file=R --blob= -z,--null "
     "--show-names --name-only "
     "--show-origin --show-scope --includes --no-includes -t,--type= " HELP,
     "none", EFFECT_SECRETS, "git-config(1) since 2.46", .broadens = "--blob"},
    {"git config remove-section", GIT_CONFIG_FILE, ".* cwd=@gitfile", EFFECT_UNKNOWN,
     "git-config(1) since 2.46", .shows = SHOWS_NOTHING},
    {"git config rename-section", GIT_CONFIG_FILE, ".* cwd=@gitfile", EFFECT_UNKNOWN,
     "git-config(1) since 2.46", .shows = SHOWS_NOTHING},
    {"git config set", GIT_CONFIG_FILE,
     "{-f} ^unknown .* | {--global,--system,--worktree} ^unknown .* cwd=@gitfile | @gitkey .",
     EFFECT_REPO, "git-config(1) since 2.46", .shows = SHOWS_NOTHING},
    {"git config unset", GIT_CONFIG_FILE, ".* cwd=@gitfile", EFFECT_UNKNOWN,
     "git-config(1) since 2.46", .shows = SHOWS_NOTHING},
    {"git count-objects", "abbrev -v,--verbose -H,--human-readable " HELP, "none", 0,
     "git-count-objects(1)", .shows = SHOWS_NOTHING},
    {"git credential", "mixed", ".*", EFFECT_SECRETS, "git-credential(1)", .shows = SHOWS_NOTHING},
    {"git credential-cache", "mixed", ".*", EFFECT_SECRETS | EFFECT_UNKNOWN,
     "git-credential-cache(1)", .shows = SHOWS_NOTHING},
    {"git credential-store", "mixed", ".*", EFFECT_SECRETS | EFFECT_UNKNOWN,
     "git-credential-store(1)", .shows = SHOWS_NOTHING},
    {"git daemon", "mixed", ".*", EFFECT_NETWORK | EFFECT_UNKNOWN, "git-daemon(1)"},
    {"git describe",
     "abbrev mixed --contains --debug --all --tags --long --first-parent --abbrev?= --no-abbrev "
     "--exact-match "
     "--candidates= --match= --no-match --exclude= --no-exclude --always --dirty?= "
     "--broken?= " HELP,
     ".*", 0, "git-describe(1)", .leaves_input = true, .shows = SHOWS_NOTHING},
    {"git diff",
     "abbrev mixed " DIFF
     "-l= -0 -1 -2 -3 -q -t -r --oneline --pretty?= --format?= --cached,--staged --merge-base "
     "--base --ours --theirs !--no-index --help",
     "@rev*", 0, "git-diff(1)", .leaves_input = true, .broadens = "--cached",
     .shows = SHOWS_CHANGES},
    {"git diff-files",
     "abbrev mixed " DIFF "-l= -0 -1 -2 -3 -q -r -t -v --base --ours --theirs --help", "@rev*", 0,
     "git-diff-files(1)", .shows = SHOWS_CHANGES},
    {"git diff-index", "abbrev mixed " DIFF "-l= --cached --merge-base -r -t -v --help", "@rev*", 0,
     "git-diff-index(1)", .broadens = "--cached", .shows = SHOWS_CHANGES},
    {"git diff-tree",
     REVISIONS DIFF "-l= -r -t -v --committer= --merge-base --no-commit-id --always --help",
     "@rev*", 0, "git-diff-tree(1)", .leaves_input = true},
    {"git difftool", "mixed", ".*", EFFECT_CODE | EFFECT_UNKNOWN, "git-difftool(1)"},
    {"git fetch",
     FETCH
     "--atomic -m,--multiple -n -j,--jobs= --prefetch ^loss-P,--prune-tags !--write-fetch-head "
     "--no-write-fetch-head "
     "!-u,--update-head-ok --refetch --filter= --negotiate-only --auto-maintenance "
     "--no-auto-maintenance --auto-gc "
     "--no-auto-gc --write-commit-graph --no-write-commit-graph !--stdin --porcelain " HELP,
     "{-m,--all} M* | M @fetched*", EFFECT_FETCH, "git-fetch(1)", .leaves_files = true,
     .shows = SHOWS_NOTHING},
    {"git filter-branch", "mixed", ".*", EFFECT_CODE | EFFECT_LOSS, "git-filter-branch(1)"},
    {"git filter-repo", "mixed", ".*", EFFECT_CODE | EFFECT_LOSS, "git-filter-repo(1)"},
    {"git fmt-merge-msg",
     "abbrev mixed --log?= --no-log -m,--message= --into-name= -F,--file=R " HELP, "none", 0,
     "git-fmt-merge-msg(1)", .shows = SHOWS_NOTHING},
    {"git for-each-ref",
     "abbrev mixed " REFS
     "-s,--shell -p,--perl --python --tcl --count= --ignore-case --stdin --exclude= "
     "--include-root-refs --start-after= " HELP,
     ".*", 0, "git-for-each-ref(1)", .shows = SHOWS_NOTHING},
    /* a file of its own, of the words of a commit, --signature or --add-header: git mv gives it any
       name */
    {"git format-patch",
     "abbrev mixed number -n,--numbered -N,--no-numbered -s,--signoff --no-signoff --stdout "
     "--cover-letter "
     "--no-cover-letter --numbered-files !--suffix= --start-number= -v,--reroll-count= "
     "--filename-max-length= --rfc?= "
     "--cover-from-description= --subject-prefix= -o,--output-directory=w !--output=W "
     "-k,--keep-subject --no-binary "
     "--zero-commit --ignore-if-in-upstream -p,--no-stat --add-header= --to= --no-to --cc= --no-cc "
     "--from?= --no-from "
     "--in-reply-to= --attach?= --no-attach --inline?= --thread?= --no-thread --signature= "
     "--no-signature --base= "
     "--no-base --signature-file=R -q,--quiet --progress --interdiff= --range-diff= "
     "--creation-factor= "
     "--force-in-body-from --root --notes?= --no-notes -M,--find-renames?= -U,--unified?= --stat?= "
     "--no-renames "
     "--full-index --binary --no-prefix --no-ext-diff --minimal --patience --histogram "
     "--first-parent --help",
     "{--stdout} .* | {-o} .* | cwd=W .*", 0, "git-format-patch(1)"},
    {"git fsck",
     "abbrev mixed -v,--verbose --unreachable --dangling --no-dangling --tags --root --cache "
     "--reflogs --no-reflogs "
     "--full --no-full --connectivity-only --strict ^repository--lost-found --progress "
     "--no-progress "
     "--name-objects "
     "--no-name-objects --references --no-references " HELP,
     ".*", 0, "git-fsck(1)", .broadens = "--lost-found"},
    {"git gc",
     "abbrev -q,--quiet ^loss--prune?= --no-prune --cruft --no-cruft --aggressive --auto --force "
     "--keep-largest-pack "
     "--detach --no-detach --dry-run " HELP,
     "none", EFFECT_REPO, "git-gc(1)", .leaves_files = true, .shows = SHOWS_NOTHING},
    {"git get-tar-commit-id", "", "none", 0, "git-get-tar-commit-id(1)", .shows = SHOWS_NOTHING},
    {"git grep",
     "abbrev mixed number --cached !--no-index --index --untracked --exclude-standard "
     "!--no-exclude-standard "
     "--recurse-submodules -v,--invert-match -i,--ignore-case -w,--word-regexp -a,--text --no-text "
     "-I !--textconv "
     "--no-textconv "
     "-r,--recursive --no-recursive --max-depth= -E,--extended-regexp -G,--basic-regexp "
     "-F,--fixed-strings "
     "-P,--perl-regexp -n,--line-number --no-line-number --column -h -H --full-name "
     "-l,--files-with-matches,--name-only "
     "-L,--files-without-match -z,--null -o,--only-matching -c,--count --color?= --no-color "
     "--break --heading "
     "-C,--context= -B,--before-context= -A,--after-context= --threads= -p,--show-function "
     "-W,--function-context "
     "-f=R -e=@pattern --and --or --not -q,--quiet --all-match ^code-O,--open-files-in-pager?=X "
     "--ext-grep "
     "--no-ext-grep "
     "-m,--max-count= --help",
     "{--untracked} {-e,-f} r* cwd | {--untracked} @pattern r* cwd | {-e,-f} @rev* | @pattern "
     "@rev*",
     0, "git-grep(1)", .follows = "", .shows = SHOWS_LINES, .unhides = "--untracked --no-index",
     .broadens = "-v -f --not -A -B -C -W"},
    /* a blob alone is no file of any commit; a tree is */
    {"git hash-object",
     "abbrev mixed -t= ^repository-w --stdin !--stdin-paths --no-filters --literally --path= " HELP,
     "{-w} {-t,--literally} ^unknown R* | R*", 0, "git-hash-object(1)", .shows = SHOWS_NOTHING, .names_in = "--stdin-paths"},
    {"git help",
     "abbrev mixed -a,--all --external-commands --no-external-commands --aliases --no-aliases "
     "-m,--man !-w,--web "
     "-i,--info "
     "-v,--verbose --no-verbose -g,--guides --user-interfaces --developer-interfaces -c,--config "
     "-h",
     ".", 0, "git-help(1)", .shows = SHOWS_NOTHING},
    {"git hook", "", "sub", 0, "git-hook(1)", .shows = SHOWS_NOTHING},
    {"git hook run", "mixed", ".*", EFFECT_PROJECT | EFFECT_UNKNOWN, "git-hook(1)"},
    {"git init",
     "abbrev mixed !--template= --bare --shared?= -q,--quiet !--separate-git-dir= "
     "-b,--initial-branch= "
     "--object-format= "
     "--ref-format= " HELP,
     "W", EFFECT_REPO, "git-init(1)", .leaves_files = true, .shows = SHOWS_NOTHING,
     .also = "git init-db"},
    {"git init-db", "=git init", "", 0, "git-init-db(1)", .shows = SHOWS_NOTHING},
    {"git instaweb", "mixed", ".*", EFFECT_NETWORK | EFFECT_UNKNOWN, "git-instaweb(1)"},
    {"git interpret-trailers",
     "abbrev mixed --in-place --trim-empty --where= --if-exists= --if-missing= --only-trailers "
     "--only-input --unfold "
     "--parse --no-divider --trailer= " HELP,
     "{--in-place} ^unknown RW* | {--parse,--only-input} R* | ^unknown R*", 0,
     "git-interpret-trailers(1): trailer.*.cmd", .shows = SHOWS_NOTHING},
    {"git lfs", "%--help,-h %--version,-v", "sub", 0, "git-lfs(1)", .shows = SHOWS_NOTHING,
     .also = "git-lfs"},
    {"git lfs env", "", "none", 0, "git-lfs-env(1)", .shows = SHOWS_NOTHING},
    {"git lfs fetch",
     "mixed -I,--include= -X,--exclude= --recent -a,--all -p,--prune -d,--dry-run -j,--json",
     "M .*", EFFECT_FETCH, "git-lfs-fetch(1)", .shows = SHOWS_NOTHING},
    {"git lfs ls-files",
     "mixed -l,--long -s,--size -d,--debug -a,--all --deleted -I,--include= -X,--exclude= "
     "-n,--name-only",
     ".*", 0, "git-lfs-ls-files(1)", .shows = SHOWS_NOTHING},
    {"git lfs prune", "mixed -d,--dry-run -v,--verbose --verify-remote --no-verify-remote",
     "{-d} none | ^loss none", 0, "git-lfs-prune(1)", .rewrites = "", .shows = SHOWS_NOTHING},
    {"git lfs pull", "mixed -I,--include= -X,--exclude=", "M", EFFECT_FETCH | EFFECT_REPO,
     "git-lfs-pull(1)", .shows = SHOWS_NOTHING},
    {"git lfs push", "mixed -d,--dry-run --all --object-id", "M .*", EFFECT_SEND, "git-lfs-push(1)",
     .shows = SHOWS_NOTHING},
    {"git lfs status", "-p,--porcelain -j,--json", "none", 0, "git-lfs-status(1)",
     .shows = SHOWS_NOTHING},
    {"git lfs track",
     "mixed -v,--verbose -d,--dry-run -f,--filename -l,--lockable --not-lockable --no-excluded",
     "{0} none | ^unknown .*", 0, "git-lfs-track(1): writes .gitattributes",
     .shows = SHOWS_NOTHING},
    {"git lfs version", "", "none", 0, "git-lfs(1)", .shows = SHOWS_NOTHING},
    {"git log", LOG, LOG_OPERANDS, 0, "git-log(1)", .leaves_input = true, .broadens = PATCHES,
     .same = "-q,--quiet"},
    {"git ls-files",
     "abbrev mixed -z -t -v -f -c,--cached -d,--deleted -m,--modified -o,--others -i,--ignored "
     "-s,--stage -k,--killed "
     "--directory --no-directory --eol --empty-directory --no-empty-directory -u,--unmerged "
     "--resolve-undo "
     "-x,--exclude= "
     "-X,--exclude-from=R --exclude-per-directory= --exclude-standard --full-name "
     "--recurse-submodules --error-unmatch "
     "--with-tree= --abbrev?= --debug --deduplicate --sparse --format= " HELP,
     ".*", 0, "git-ls-files(1)", .leaves_input = true, .prints = PRINTS_NAMES,
     .shows = SHOWS_NOTHING},
    {"git ls-remote",
     "abbrev mixed -q,--quiet --upload-pack=X --exec=X -t,--tags -h,--heads -b,--branches --refs "
     "--get-url --sort= "
     "--exit-code --symref !-o,--server-option= --help",
     "M .*", EFFECT_FETCH, "git-ls-remote(1)", .prints_urls = true, .shows = SHOWS_NOTHING},
    {"git ls-tree",
     "abbrev mixed -d -r -t -z -l,--long --name-only --name-status --object-only --full-name "
     "--full-tree --format= "
     "--abbrev?= --no-abbrev " HELP,
     ".*", 0, "git-ls-tree(1)", .leaves_input = true, .shows = SHOWS_NOTHING},
    {"git maintenance", "--help", "sub", 0, "git-maintenance(1)", .leaves_files = true,
     .shows = SHOWS_NOTHING},
    {"git maintenance register", "", "none", EFFECT_UNKNOWN, "git-maintenance(1)",
     .shows = SHOWS_NOTHING},
    {"git maintenance run",
     "abbrev mixed --auto --schedule= --quiet --no-quiet --task= --detach --no-detach", "none",
     EFFECT_REPO | EFFECT_FETCH, "git-maintenance(1)", .shows = SHOWS_NOTHING},
    {"git maintenance start", "mixed", ".*", EFFECT_SYSTEM,
     "git-maintenance(1): timers of the user", .shows = SHOWS_NOTHING},
    {"git maintenance stop", "mixed", ".*", EFFECT_SYSTEM, "git-maintenance(1)",
     .shows = SHOWS_NOTHING},
    {"git maintenance unregister", "", "none", EFFECT_UNKNOWN, "git-maintenance(1)",
     .shows = SHOWS_NOTHING},
    {"git merge",
     "abbrev mixed " MERGING
     "-n --summary !-e --rerere-autoupdate --no-rerere-autoupdate -m,--message= -F,--file=R "
     "--into-name= -v,--verbose -q,--quiet ^loss--abort --quit !--continue --progress "
     "--no-progress "
     "--overwrite-ignore "
     "--no-overwrite-ignore --compact-summary " HELP,
     "{--abort,--quit} none | {0} none cwd=@upstream | @commit*", EFFECT_REPO,
     "git-merge(1); merge.c: no editor without a terminal", .same = "-e,--edit",
     .shows = SHOWS_NOTHING, .takes = "*", .saves = SAVES_TREE},
    {"git merge-base",
     "abbrev mixed -a,--all --octopus --independent --is-ancestor --fork-point " HELP, ".*", 0,
     "git-merge-base(1)", .leaves_input = true, .shows = SHOWS_NOTHING},
    {"git merge-file",
     "abbrev mixed -p,--stdout --object-id --diff3 --zdiff3 --ours --theirs --union --marker-size= "
     "-q,--quiet -L= "
     "--diff-algorithm= " HELP,
     "{-p} R R R | RW R R", 0, "git-merge-file(1)"},
    {"git merge-tree",
     "abbrev mixed --write-tree --trivial-merge --messages --no-messages -z --name-only --quiet "
     "--allow-unrelated-histories --stdin --merge-base= -X,--strategy-option=@strategy " HELP,
     ".*", EFFECT_REPO, "git-merge-tree(1): writes objects"},
    {"git mergetool", "mixed", ".*", EFFECT_CODE | EFFECT_UNKNOWN, "git-mergetool(1)"},
    {"git mktree", "abbrev -z --missing --batch " HELP, "none", EFFECT_REPO | EFFECT_UNKNOWN,
     "git-mktree(1)", .shows = SHOWS_NOTHING},
    {"git mv", "abbrev mixed -v,--verbose -n,--dry-run ^loss-f,--force -k --sparse " HELP,
     "{-n} .* | ^repository rd+ t", 0, "git-mv(1)", .shows = SHOWS_NOTHING},
    {"git name-rev",
     "abbrev mixed --name-only --tags --refs= --no-refs --exclude= --no-exclude --all --stdin "
     "--annotate-stdin "
     "--undefined --no-undefined --always " HELP,
     ".*", 0, "git-name-rev(1)", .shows = SHOWS_NOTHING},
    {"git notes", "--ref=", "{0} none | sub", 0, "git-notes(1)", .leaves_files = true,
     .shows = SHOWS_NOTHING},
    /* a note is a file in a tree, which git checkout writes, and git mv gives a name */
    {"git notes add", NOTE "^loss-f,--force " HELP, ".", EFFECT_REPO | EFFECT_UNKNOWN,
     "git-notes(1)", .shows = SHOWS_NOTHING},
    {"git notes append", NOTE HELP, ".", EFFECT_REPO | EFFECT_UNKNOWN, "git-notes(1)",
     .shows = SHOWS_NOTHING},
    {"git notes copy", "abbrev mixed ^loss-f,--force " HELP, ". .", EFFECT_REPO, "git-notes(1)",
     .rewrites = "", .shows = SHOWS_NOTHING},
    {"git notes get-ref", "", "none", 0, "git-notes(1)", .shows = SHOWS_NOTHING},
    {"git notes list", "mixed", ".", 0, "git-notes(1)", .shows = SHOWS_NOTHING},
    {"git notes prune", "abbrev mixed -n,--dry-run -v,--verbose " HELP, "{-n} none | ^loss none", 0,
     "git-notes(1)", .rewrites = "", .shows = SHOWS_NOTHING},
    {"git notes remove", "abbrev mixed --ignore-missing " HELP, ".*", EFFECT_REPO, "git-notes(1)",
     .rewrites = "", .shows = SHOWS_NOTHING},
    {"git notes show", "mixed", ".", 0, "git-notes(1)"},
    {"git pack-refs", "abbrev --all --prune --no-prune --auto --include= --exclude= " HELP, "none",
     EFFECT_REPO, "git-pack-refs(1)", .leaves_files = true, .shows = SHOWS_NOTHING},
    {"git patch-id", "abbrev --stable --unstable --verbatim " HELP, "none", 0, "git-patch-id(1)",
     .shows = SHOWS_NOTHING},
    {"git prune", "abbrev mixed -n,--dry-run -v,--verbose --progress --expire= " HELP,
     "{-n} .* | ^loss .*", 0, "git-prune(1)", .leaves_files = true, .shows = SHOWS_NOTHING},
    {"git prune-packed", "abbrev -n,--dry-run -q,--quiet " HELP, "none", EFFECT_REPO,
     "git-prune-packed(1)", .shows = SHOWS_NOTHING},
    {"git pull", FETCH MERGING "-r,--rebase --no-rebase -n -j,--jobs?= --porcelain " HELP,
     "{--all} M* cwd=@upstream | M @pulled* cwd=@upstream", EFFECT_FETCH | EFFECT_REPO,
     "git-pull(1)", .shows = SHOWS_NOTHING, .takes = "*"},
    {"git push",
     "abbrev mixed -v,--verbose -q,--quiet --repo=M --all,--branches ^loss--mirror "
     "^loss-d,--delete "
     "--tags -n,--dry-run "
     "--porcelain "
     "^loss-f,--force ^loss--force-with-lease?= --no-force --no-force-with-lease "
     "--force-if-includes "
     "--recurse-submodules= "
     "--thin "
     "--no-thin --receive-pack=X --exec=X -u,--set-upstream --progress --no-progress ^loss--prune "
     "--verify !--no-verify "
     "--follow-tags --no-follow-tags --signed?= --no-signed --atomic --no-atomic -o,--push-option= "
     "-4,--ipv4 "
     "-6,--ipv6 " HELP,
     "M @refspec*", EFFECT_SEND, "git-push(1)", .leaves_files = true, .implies = "--mirror>-f"},
    {"git range-diff",
     "abbrev mixed number " DIFF
     "-l= --creation-factor= --dual-color --no-dual-color --notes?= --no-notes --left-only "
     "--right-only --help",
     ".*", 0, "git-range-diff(1)"},
    {"git read-tree",
     "abbrev mixed --index-output=W --empty -v,--verbose -m --trivial --aggressive --reset "
     "--prefix= -u -i "
     "-n,--dry-run "
     "--no-sparse-checkout --recurse-submodules?= -q,--quiet " HELP,
     "{-n} .* | {-m,--reset,-u,-i,--empty,--prefix,--aggressive,--trivial,--recurse-submodules} "
     "^repository^loss @commit* | ^repository @commit*",
     0,
     "git-read-tree(1): without those it fills the index, as git reset does, and leaves the files "
     "alone",
     .rewrites = "-u", .shows = SHOWS_NOTHING},
    {"git rebase",
     "abbrev mixed --onto=@commit --keep-base !--no-verify --verify -q,--quiet -v,--verbose "
     "-n,--no-stat "
     "--stat --signoff "
     "--committer-date-is-author-date --reset-author-date,--ignore-date -C= --ignore-whitespace "
     "--whitespace= "
     "-f,--force-rebase --no-ff --ff ^editor--continue ^loss--skip --abort --quit !--edit-todo "
     "--show-current-patch --apply "
     "-m,--merge !-i,--interactive --rerere-autoupdate --no-rerere-autoupdate --empty= "
     "--keep-empty --no-keep-empty "
     "^editor--autosquash --no-autosquash --update-refs --no-update-refs !-S,--gpg-sign?= "
     "--no-gpg-sign "
     "--autostash "
     "--no-autostash -x,--exec=X -r,--rebase-merges?= --no-rebase-merges --fork-point "
     "--no-fork-point "
     "!-s,--strategy= -X,--strategy-option=@strategy --root --reschedule-failed-exec "
     "--no-reschedule-failed-exec "
     "--reapply-cherry-picks --no-reapply-cherry-picks " HELP,
     "{--show-current-patch} none | {--continue,--skip,--abort,--quit} ^repository none | "
     "{0} ^repository none cwd=@upstream | ^repository @commit @commit",
     0, "git-rebase(1)", .broadens = "--show-current-patch", .takes = "*", .saves = SAVES_ALWAYS},
    {"git reflog", LOG, LOG_OPERANDS, 0, "git-reflog(1)", .leaves_files = true,
     .broadens = PATCHES},
    {"git reflog delete", "abbrev mixed --dry-run --rewrite --updateref --verbose " HELP,
     "{--dry-run} .* | ^loss .*", 0, "git-reflog(1)", .shows = SHOWS_NOTHING, .saves = SAVES_REFS},
    {"git reflog drop", "abbrev mixed --all --single-worktree " HELP, ".*", EFFECT_LOSS,
     "git-reflog(1)", .shows = SHOWS_NOTHING, .saves = SAVES_REFS},
    {"git reflog exists", "mixed", ".", 0, "git-reflog(1)", .shows = SHOWS_NOTHING},
    {"git reflog expire",
     "abbrev mixed --dry-run --rewrite --updateref --verbose --expire= --expire-unreachable= "
     "--stale-fix --all "
     "--single-worktree " HELP,
     "{--dry-run} .* | ^loss .*", 0, "git-reflog(1)", .shows = SHOWS_NOTHING},
    {"git reflog list", "", "none", 0, "git-reflog(1)", .shows = SHOWS_NOTHING},
    {"git reflog show", LOG, LOG_OPERANDS, 0, "git-reflog(1)", .broadens = PATCHES},
    {"git remote", "-v,--verbose --help", "{0} none | sub", 0, "git-remote(1)",
     .leaves_files = true, .prints_urls = true, .shows = SHOWS_NOTHING},
    {"git remote add",
     "abbrev mixed ^fetch-f,--fetch --tags --no-tags -t,--track= -m,--master= --mirror?= " HELP,
     ". N", EFFECT_REPO | EFFECT_UNKNOWN, "git-remote(1)", .shows = SHOWS_NOTHING},
    {"git remote get-url", "abbrev mixed --push --all " HELP, ".", 0, "git-remote(1)",
     .prints_urls = true, .shows = SHOWS_NOTHING},
    {"git remote prune", "abbrev mixed -n,--dry-run " HELP, "M*", EFFECT_FETCH | EFFECT_REPO,
     "git-remote(1)", .shows = SHOWS_NOTHING},
    {"git remote remove", "mixed", ".", EFFECT_REPO | EFFECT_UNKNOWN, "git-remote(1)",
     .shows = SHOWS_NOTHING, .also = "git remote rm"},
    {"git remote rename", "abbrev mixed --progress --no-progress " HELP, ". .",
     EFFECT_REPO | EFFECT_UNKNOWN, "git-remote(1)", .shows = SHOWS_NOTHING},
    {"git remote rm", "=git remote remove", "", 0, "git-remote(1)", .shows = SHOWS_NOTHING},
    {"git remote set-branches", "abbrev mixed --add " HELP, ". .*", EFFECT_REPO | EFFECT_UNKNOWN,
     "git-remote(1)", .shows = SHOWS_NOTHING},
    {"git remote set-head", "abbrev mixed ^fetch-a,--auto -d,--delete " HELP, "M .", EFFECT_REPO,
     "git-remote(1)", .shows = SHOWS_NOTHING},
    {"git remote set-url", "abbrev mixed --push --add --delete " HELP, ". N .",
     EFFECT_REPO | EFFECT_UNKNOWN, "git-remote(1)", .shows = SHOWS_NOTHING},
    {"git remote show", "abbrev mixed -n " HELP, "{-n} .* | {0} none | ^fetch M*", 0,
     "git-remote(1)", .prints_urls = true, .shows = SHOWS_NOTHING},
    {"git remote update", "abbrev mixed -p,--prune " HELP, "M*", EFFECT_FETCH, "git-remote(1)",
     .shows = SHOWS_NOTHING},
    {"git repack",
     "abbrev -a -A --cruft ^loss--cruft-expiration= ^loss-d -f -F -n -q,--quiet -l,--local "
     "-b,--write-bitmap-index "
     "-i,--delta-islands ^loss--unpack-unreachable= -k,--keep-unreachable --window= "
     "--window-memory= "
     "--depth= --threads= "
     "--max-pack-size= --pack-kept-objects --keep-pack= -g,--geometric= -m,--write-midx "
     "--expire-to=W --filter= "
     "--filter-to=W " HELP,
     "none", EFFECT_REPO, "git-repack(1)", .leaves_files = true, .shows = SHOWS_NOTHING},
    {"git replace",
     "abbrev mixed -l,--list ^loss-d,--delete !-e,--edit !-g,--graft !--convert-graft-file "
     "!-f,--force --raw "
     "--format= " HELP,
     "{-l} .* | {0} none | ^repository^unknown .*", 0, "git-replace(1)", .shows = SHOWS_NOTHING},
    {"git request-pull", "mixed -p", ". M .", EFFECT_FETCH, "git-request-pull(1)"},
    {"git rerere", "", "{0} ^repository none | sub", 0, "git-rerere(1)", .shows = SHOWS_NOTHING},
    {"git rerere diff", "mixed", ".*", 0, "git-rerere(1)"},
    {"git rerere remaining", "", "none", 0, "git-rerere(1)", .shows = SHOWS_NOTHING},
    {"git rerere status", "", "none", 0, "git-rerere(1)", .shows = SHOWS_NOTHING},
    {"git reset",
     "abbrev mixed -q,--quiet --no-quiet --refresh --no-refresh --mixed --soft ^loss--hard "
     "^loss--merge "
     "--keep "
     "--recurse-submodules?= --no-recurse-submodules !-p,--patch -N,--intent-to-add " PATHSPEC_FILE
         HELP,
     "@treeish .*", EFFECT_REPO, "git-reset(1)", .rewrites = "--hard --merge --keep",
     .shows = SHOWS_NOTHING, .saves = SAVES_TREE, .names_in = "--pathspec-from-file"},
    {"git restore",
     "abbrev mixed -s,--source=@commit -S,--staged --no-staged -W,--worktree --no-worktree "
     "--ignore-unmerged --overlay "
     "--no-overlay -q,--quiet --recurse-submodules?= --progress --no-progress -m,--merge "
     "--conflict= -2,--ours "
     "-3,--theirs !-p,--patch --ignore-skip-worktree-bits " PATHSPEC_FILE HELP,
     "{-W,--no-staged} ^repository^loss w* | {-S} ^repository .* | ^repository^loss w*", 0,
     "git-restore(1)", .rewrites = "-W --no-staged", .spares = "-S", .shows = SHOWS_NOTHING,
     .saves = SAVES_FILES, .names_in = "--pathspec-from-file"},
    {"git rev-list",
     REVISIONS DIFF
     "-n= -l= --committer= --objects --objects-edge --objects-edge-aggressive --unpacked "
     "--no-unpacked --header "
     "--object-names --no-object-names --filter?= --no-filter --filter-print-omitted --missing?= "
     "--disk-usage?= --bisect-vars --bisect-all --use-bitmap-index --commit-header "
     "--no-commit-header "
     "--timestamp --in-commit-order --indexed-objects --exclude-promisor-objects --help",
     PRINTS_DIFF ".*", 0, "git-rev-list(1); revision.c", .leaves_input = true, .broadens = PATCHES},
    {"git rev-parse",
     "mixed --verify -q --quiet --short?= --abbrev-ref?= --symbolic --symbolic-full-name "
     "--show-toplevel --show-cdup "
     "--show-prefix --git-dir --absolute-git-dir --git-common-dir --git-path= --path-format?= "
     "--is-inside-work-tree "
     "--is-inside-git-dir --is-bare-repository --is-shallow-repository "
     "--show-superproject-working-tree "
     "--show-object-format?= --show-ref-format --shared-index-path --local-env-vars --all "
     "--branches?= --tags?= "
     "--remotes?= --glob?= --exclude?= --exclude-hidden?= --disambiguate?= --since?= --after?= "
     "--until?= --before?= "
     "--default= --prefix= --revs-only --no-revs --flags --no-flags --not --sq --sq-quote "
     "--resolve-git-dir=R "
     "--end-of-options --help",
     ".*", 0, "git-rev-parse(1)", .leaves_input = true, .shows = SHOWS_NOTHING},
    {"git revert", PICKING "--reference " HELP, "@commit*", EFFECT_REPO,
     "git-revert(1); sequencer.c: no editor without a terminal", .shows = SHOWS_NOTHING,
     .takes_back = true, .saves = SAVES_TREE},
    {"git rm",
     "abbrev mixed -n,--dry-run -q,--quiet --cached ^loss-f,--force -r --ignore-unmatch "
     "--sparse " PATHSPEC_FILE HELP,
     "{-n} .* | {--cached} ^repository .* | {-r} ^repository d* | ^repository D*", 0, "git-rm(1)",
     .leaves_files = true, .spares = "--cached -n", .shows = SHOWS_NOTHING, .saves = SAVES_REFS, .names_in = "--pathspec-from-file"},
    {"git send-email", "", "R*", EFFECT_NETWORK | EFFECT_SEND, "git-send-email(1)"},
    {"git shortlog",
     REVISIONS DIFF
     "--committer -n,--numbered --no-numbered --no-summary -e,--email --no-email --group= "
     "-l= --help",
     PRINTS_DIFF ".*", 0, "git-shortlog(1)", .same = "-c,--committer -s,--summary",
     .broadens = PATCHES},
    {"git show", LOG, "@rev*", 0, "git-show(1)", .leaves_input = true, .same = "-q,--quiet"},
    {"git show-branch",
     "abbrev mixed -a,--all -r,--remotes --color?= --no-color --more?= --list --no-name --current "
     "--sha1-name "
     "--merge-base "
     "--independent --topo-order --topics --sparse --date-order -g,--reflog?= " HELP,
     ".*", 0, "git-show-branch(1)", .shows = SHOWS_NOTHING},
    {"git show-index", "abbrev --object-format= " HELP, "none", 0, "git-show-index(1)",
     .shows = SHOWS_NOTHING},
    {"git show-ref",
     "abbrev mixed --tags --heads --branches --verify --head -d,--dereference -s,--hash?= "
     "--abbrev?= -q,--quiet "
     "--exclude-existing?= --exists " HELP,
     ".*", 0, "git-show-ref(1)", .shows = SHOWS_NOTHING},
    {"git sparse-checkout", "--help", "sub", 0, "git-sparse-checkout(1)", .shows = SHOWS_NOTHING},
    {"git sparse-checkout add", "abbrev mixed --skip-checks --stdin " HELP, ".*",
     EFFECT_REPO | EFFECT_LOSS, "git-sparse-checkout(1)", .shows = SHOWS_NOTHING},
    {"git sparse-checkout disable", "", "none", EFFECT_REPO | EFFECT_LOSS, "git-sparse-checkout(1)",
     .shows = SHOWS_NOTHING},
    {"git sparse-checkout list", "", "none", 0, "git-sparse-checkout(1)", .shows = SHOWS_NOTHING},
    {"git sparse-checkout reapply",
     "abbrev --cone --no-cone --sparse-index --no-sparse-index " HELP, "none",
     EFFECT_REPO | EFFECT_LOSS, "git-sparse-checkout(1)", .shows = SHOWS_NOTHING},
    {"git sparse-checkout set",
     "abbrev mixed --cone --no-cone --sparse-index --no-sparse-index --skip-checks --stdin " HELP,
     ".*", EFFECT_REPO | EFFECT_LOSS,
     "git-sparse-checkout(1): ignored files outside the cone are removed", .shows = SHOWS_NOTHING},
    {"git stage", "=git add", "", 0, "git-stage(1)", .leaves_files = true, .shows = SHOWS_NOTHING,
     .takes = "-A -u --pathspec-from-file"},
    {"git stash", STASHING HELP, "{0} {-u} ^repository cwd=r | {0} ^repository none | sub", 0,
     "git-stash(1)", .follows = "", .broadens = "-u", .shows = SHOWS_NOTHING, .takes = "*",
     .bare = "push", .names_in = "--pathspec-from-file"},
    {"git stash apply", "abbrev mixed --index -q,--quiet " HELP, "@stash", EFFECT_REPO,
     "git-stash(1)", .shows = SHOWS_NOTHING},
    {"git stash branch", "mixed", ". @stash", EFFECT_REPO, "git-stash(1)", .shows = SHOWS_NOTHING},
    {"git stash clear", "", "none", EFFECT_LOSS, "git-stash(1)", .rewrites = "",
     .shows = SHOWS_NOTHING, .saves = SAVES_REFS},
    {"git stash create", "mixed", ".*", EFFECT_REPO, "git-stash(1)", .rewrites = "",
     .shows = SHOWS_NOTHING, .takes = "*"},
    {"git stash drop", "abbrev mixed -q,--quiet " HELP, ".", EFFECT_LOSS, "git-stash(1)",
     .rewrites = "", .shows = SHOWS_NOTHING, .saves = SAVES_REFS},
    {"git stash list", LOG, LOG_OPERANDS, 0, "git-stash(1)", .broadens = PATCHES},
    {"git stash pop", "abbrev mixed --index -q,--quiet " HELP, "@stash", EFFECT_REPO,
     "git-stash(1)", .shows = SHOWS_NOTHING},
    {"git stash push", STASHING HELP, "{-u} cwd=r .* | .*", EFFECT_REPO, "git-stash(1)",
     .follows = "", .broadens = "-u", .shows = SHOWS_NOTHING, .takes = "*",
     .also = "git stash save", .names_in = "--pathspec-from-file"},
    {"git stash save", STASHING HELP, "{-u} cwd=r .* | .*", EFFECT_REPO, "git-stash(1)",
     .follows = "", .broadens = "-u", .shows = SHOWS_NOTHING, .takes = "*", .names_in = "--pathspec-from-file"},
    {"git stash show",
     "abbrev mixed ^secrets--include-untracked ^secrets--only-untracked -l= " DIFF "--help", ".", 0,
     "git-stash(1): stash.showPatch"},
    {"git stash store", "abbrev mixed -q,--quiet -m,--message= " HELP, "@commit", EFFECT_REPO,
     "git-stash(1)", .rewrites = "", .shows = SHOWS_NOTHING},
    {"git status",
     "abbrev mixed -v,--verbose -s,--short --no-short -b,--branch --no-branch --show-stash "
     "--no-show-stash "
     "--ahead-behind "
     "--no-ahead-behind --porcelain?= --long -z,--null -u,--untracked-files?= --no-untracked-files "
     "--ignored?= "
     "--no-ignored --ignore-submodules?= --column?= --no-column --renames --no-renames "
     "-M,--find-renames?= " HELP,
     ".*", 0, "git-status(1)", .leaves_input = true, .broadens = "-v", .shows = SHOWS_INDEX},
    {"git stripspace", "abbrev -s,--strip-comments -c,--comment-lines " HELP, "none", 0,
     "git-stripspace(1)", .shows = SHOWS_NOTHING},
    {"git submodule", "-q,--quiet --cached --help", "{0} none | sub", 0, "git-submodule(1)",
     .shows = SHOWS_NOTHING},
    {"git submodule absorbgitdirs", "mixed -q,--quiet", ".*", EFFECT_REPO, "git-submodule(1)",
     .rewrites = "", .shows = SHOWS_NOTHING},
    {"git submodule add",
     "mixed -q,--quiet -b,--branch= -f,--force --name= --reference=R --depth= --progress", "N w",
     EFFECT_NETWORK | EFFECT_REPO, "git-submodule(1)", .shows = SHOWS_NOTHING},
    {"git submodule deinit", "mixed -q,--quiet -f,--force --all", ".*", EFFECT_REPO | EFFECT_LOSS,
     "git-submodule(1)", .shows = SHOWS_NOTHING},
    {"git submodule foreach", "-q,--quiet --recursive", "I", EFFECT_CODE, "git-submodule(1)"},
    /* copies the URLs of .gitmodules, which the agent may have written, into the configuration */
    {"git submodule init", "mixed -q,--quiet", ".*", EFFECT_REPO | EFFECT_UNKNOWN,
     "git-submodule(1)", .rewrites = "", .shows = SHOWS_NOTHING},
    {"git submodule set-branch", "mixed -q,--quiet -b,--branch= -d,--default", ".",
     EFFECT_REPO | EFFECT_UNKNOWN, "git-submodule(1)", .rewrites = "", .shows = SHOWS_NOTHING},
    {"git submodule set-url", "mixed -q,--quiet", ". N", EFFECT_REPO | EFFECT_UNKNOWN,
     "git-submodule(1)", .rewrites = "", .shows = SHOWS_NOTHING},
    {"git submodule status", "mixed -q,--quiet --cached --recursive", ".*", 0, "git-submodule(1)",
     .rewrites = "", .shows = SHOWS_NOTHING},
    {"git submodule summary", "mixed -q,--quiet --cached --files -n,--summary-limit=", ".*", 0,
     "git-submodule(1)", .shows = SHOWS_NOTHING},
    {"git submodule sync", "mixed -q,--quiet --recursive", ".*", EFFECT_REPO | EFFECT_UNKNOWN,
     "git-submodule(1)", .shows = SHOWS_NOTHING},
    {"git submodule update",
     "mixed -q,--quiet ^network--init --remote -N,--no-fetch ^loss-f,--force --checkout --merge "
     "--rebase "
     "--recommend-shallow "
     "--no-recommend-shallow --reference=R --recursive --single-branch --no-single-branch --depth= "
     "-j,--jobs= "
     "--progress --filter=",
     ".* cwd=@upstream", EFFECT_FETCH | EFFECT_REPO, "git-submodule(1)", .shows = SHOWS_NOTHING},
    {"git switch", SWITCHING "-c,--create= ^loss-C,--force-create= ^loss--discard-changes " HELP,
     "@commit @commit", EFFECT_REPO, "git-switch(1)", .shows = SHOWS_NOTHING, .takes = "-m",
     .saves = SAVES_TREE},
    {"git symbolic-ref",
     "abbrev mixed -q,--quiet !-d,--delete --short --recurse --no-recurse -m= " HELP,
     "{1} . | ^repository @ref @symbolic", 0, "git-symbolic-ref(1)", .leaves_files = true,
     .shows = SHOWS_NOTHING},
    {"git tag",
     "abbrev mixed " REFS "-l,--list -n?= ^loss-d,--delete -v,--verify -a,--annotate -m,--message= "
     "-F,--file=R !-e,--edit "
     "!-s,--sign --no-sign --trailer= --cleanup= !-u,--local-user= ^loss-f,--force --create-reflog "
     "--column?= --no-column "
     "--with?= --without?= -i,--ignore-case " HELP,
     "{-l,-n,-v,--contains,--no-contains,--with,--without,--merged,--no-merged,--points-at} .* | "
     "{0} none | "
     "{-d} .* | {-m,-F} ^repository . @commit | {-a} ^repository^unknown . . | "
     "^repository . @commit",
     0, "git-tag(1); tag.c: which options list", .leaves_files = true, .shows = SHOWS_NOTHING,
     .saves = SAVES_REFS},
    {"git update-index",
     "mixed -q --ignore-submodules --add --replace --remove --unmerged --refresh --really-refresh "
     "!--cacheinfo "
     "--chmod= "
     "--assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree --info-only "
     "^loss--force-remove -z "
     "!--stdin "
     "!--index-info -g --again --ignore-missing --verbose !--fsmonitor --no-fsmonitor",
     "R*", EFFECT_REPO, "git-update-index(1)", .leaves_files = true, .same = "-g,--again",
     .shows = SHOWS_NOTHING, .takes = "-g --again", .names_in = "--stdin --index-info"},
    {"git update-ref", "abbrev mixed -m= ^loss-d --no-deref -z !--stdin --create-reflog " HELP,
     "@ref @commit .", EFFECT_REPO, "git-update-ref(1)", .leaves_files = true,
     .shows = SHOWS_NOTHING, .saves = SAVES_REFS},
    {"git var", "mixed ^secrets-l", ".", 0, "git-var(1)", .shows = SHOWS_NOTHING},
    {"git verify-commit", "abbrev mixed -v,--verbose --raw " HELP, ".*", 0, "git-verify-commit(1)",
     .shows = SHOWS_NOTHING},
    {"git verify-pack", "abbrev mixed -v,--verbose -s,--stat-only --object-format= " HELP, "R*", 0,
     "git-verify-pack(1)", .shows = SHOWS_NOTHING},
    {"git verify-tag", "abbrev mixed -v,--verbose --raw --format= " HELP, ".*", 0,
     "git-verify-tag(1)", .shows = SHOWS_NOTHING},
    {"git version", "abbrev --build-options " HELP, "none", 0, "git-version(1)",
     .shows = SHOWS_NOTHING},
    {"git whatchanged", LOG, "@rev*", 0, "git-whatchanged(1)", .broadens = PATCHES,
     .same = "-q,--quiet"},
    {"git worktree", "--help", "sub", 0, "git-worktree(1)", .shows = SHOWS_NOTHING},
    {"git worktree add",
     "abbrev mixed ^loss-f,--force -b= ^loss-B= -d,--detach --checkout --no-checkout --lock "
     "--reason= "
     "-q,--quiet --track "
     "--no-track --guess-remote --no-guess-remote --orphan --relative-paths "
     "--no-relative-paths " HELP,
     "w @commit", EFFECT_REPO, "git-worktree(1)", .rewrites = ""},
    {"git worktree list", "abbrev --porcelain -v,--verbose --expire= -z " HELP, "none", 0,
     "git-worktree(1)", .shows = SHOWS_NOTHING},
    {"git worktree lock", "abbrev mixed --reason= " HELP, ".", EFFECT_REPO, "git-worktree(1)",
     .rewrites = "", .shows = SHOWS_NOTHING},
    {"git worktree move", "abbrev mixed -f,--force " HELP, "d w", EFFECT_REPO | EFFECT_LOSS,
     "git-worktree(1): the end of any worktree's path names it, wherever that is", .rewrites = "",
     .shows = SHOWS_NOTHING},
    {"git worktree prune", "abbrev -n,--dry-run -v,--verbose --expire= " HELP, "none", EFFECT_REPO,
     "git-worktree(1)", .rewrites = "", .shows = SHOWS_NOTHING},
    {"git worktree remove", "abbrev mixed -f,--force " HELP, "d", EFFECT_REPO | EFFECT_LOSS,
     "git-worktree(1): as above, and ignored files in it are in no history", .rewrites = "",
     .shows = SHOWS_NOTHING},
    {"git worktree repair", "mixed", "w*", EFFECT_REPO, "git-worktree(1)", .rewrites = "",
     .shows = SHOWS_NOTHING},
    {"git worktree unlock", "mixed", ".", EFFECT_REPO, "git-worktree(1)", .rewrites = "",
     .shows = SHOWS_NOTHING},
    {"git write-tree", "abbrev --missing-ok --prefix= " HELP, "none", EFFECT_REPO,
     "git-write-tree(1)", .leaves_files = true, .shows = SHOWS_NOTHING},
};

extern const struct program_file rows_git;
const struct program_file rows_git = {"programs/rows/git.c", rows, COUNT(rows)};
