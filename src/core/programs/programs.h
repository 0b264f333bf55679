/* clang-format off */
/* programs.h - the knowledge: what programs do with their arguments.
 *
 * One row per program or subcommand, in one small language of strings that a
 * contributor can write without knowing the engine, and that a user's policy
 * file may add to. A program that has no row is unknown, an option that its row
 * does not list is unknown, and unknown never means harmless.
 *
 * A row:
 *
 *     {"sort", "abbrev mixed -b -d -f -n -r -u -k,--key= -o,--output=W --files0-from=R --compress-program=X",
 *      "R*", 0, "GNU sort(1)"}
 *
 * NAME: the program, or program and subcommand words ("git push", "gh pr view"). The program's own row ("git") lists
 * the options that may come before the subcommand; its operands are then "sub". The longest name that fits wins.
 * A word of a name may be an option that a command line of its own follows ("python -m", "cmake -E").
 *
 * OPTIONS, separated by blanks. "=NAME" alone makes the row another name of the row NAME; "=" alone (of a shipped row)
 * leaves the program unknown: the row only has columns that are about its name. Otherwise each is
 *
 *     -o,--output   all names of one option
 *     -o            takes no value
 *     -o=           takes a value that is only data, -o value, -ovalue, --output=value or --output value
 *     -o=W          takes a value with a role (below); -a=.,R takes two, as two words
 *     -o?=W         the value is optional and only taken when it is attached: -oF, --output=F
 *     if=R          no dash: an operand of the form if=FILE (dd)
 *     !-o           known, and never harmless: the same as ^unknown-o
 *     ^send-o       the option has this effect (effects.h); ^privilege^secrets-o has two. A lower-case letter would
 *                   go on with the word, so an option of the form if=FILE cannot have one
 *     %--help       with this option, before the first operand, a text is printed and nothing else done: effects and
 *                   paths do not count, unless another option has an effect, or a launcher or -m was in front
 *
 * and these words, in front of the options, say how they are read:
 *
 *     abbrev        long options may be shortened to what is unique (getopt_long, git)
 *     assigns       words NAME=value, and a lone "-", in front of the first operand are none (env, sudo)
 *     bundle        the first word may be short options without a dash (tar xzf)
 *     expression    "(", ")", "!" and "," are operators (find)
 *     global        these options may also come after the subcommand
 *     mixed         options are also taken after operands (GNU); without it the first operand ends them
 *     number        -5 is an option (head -5, git log -3)
 *     plus          words that begin with + are data (date +%F, tail +3)
 *     versions      the program's name may carry a version (python3.11, gcc-12)
 *     +long         options are words with one dash (find -name, java -cp): exact names, -name=value and -name value; a
 *                   name of one letter, and one with ?=, may have its value glued to it (-Idir, -Xmx1g)
 *
 * ROLES, of values and of operands: one letter or several.
 *
 *     .             only data (no letter means the same)
 *     R W D         a path that is read, written, deleted; RW is both
 *     B             a path of which only names, sizes and dates are read (ls, stat), no contents
 *     r w d b       the same, with everything below it
 *     T             a target as cp and mv have it: written, or, being a directory, what the other operands are called
 *                   is written in it; t with everything below
 *     X             a command or code that is run (EFFECT_CODE)
 *     F             a file that is run (EFFECT_CODE and a path with PROGRAM_RUNS)
 *     Z             as F, the script of an interpreter: all words after it are the script's own. Where nothing else
 *                   in the command is code, `script` says which word it is
 *     S             text for a shell: shell/ judges it (EFFECT_INNER; EFFECT_CODE when it is not known). S*: the text is all
 *                   further operands, joined by blanks (eval, watch)
 *     I             a command begins here; shell/ judges it (EFFECT_INNER). As an operand it takes all further words,
 *                   as the value of an option those up to ";" or "{} +" (find -exec, fd -x)
 *     N             a host or URL it talks to (EFFECT_NETWORK, and in `hosts`)
 *     L             before other letters (LR): host:path and URLs count as N, everything else as the letters say
 *     M             the name of a configured remote is data; a URL or path counts as N
 *     P             a directory to work in (git -C): the other paths are relative to it
 *     O             a mark: words from outside take its place in the command (xargs -I); without a value it is {}
 *     V             a shell variable, NAME or NAME=VALUE; a subscript would be code
 *     @sed          a text in the language that a reader knows: @sed @awk @jq @suffix ... (readers.c)
 *
 * OPERANDS: one or more forms, separated by '|'. The first form whose conditions all hold counts; when none does, the
 * use is unknown. From left to right, separated by blanks:
 *
 *     {-e,-f}       condition: one of these options was given
 *     {0} {1} {2}   condition: this number of operands; {bare} nothing at all after the name; {empty} the first
 *                   operand is the empty word (BSD's sed -i ''); {-} the first operand is "-"; {2:-c} the second is "-c"
 *     ^loss^secrets this form has these effects
 *     -f=W          in this form the value of option -f has this role
 *     R W . @sed    the roles of the operands, one by one; one operand more than that is unknown
 *     R*            all further operands; R+ W: all but the last are read, the last is written
 *     cwd           when there is no operand with a path: the working directory, in the role of the last place
 *     cwd=w         the working directory, in this role
 *     sub           a subcommand comes here: one that has no row is unknown
 *     none          no operand
 *     in=@python    the standard input is a text that this reader knows. The form also has EFFECT_CODE; a
 *                   caller that knows the text can have it read (program_explain_input)
 *     @@env         alone: a reader takes all words from the first one that is not a listed option
 *
 * EFFECTS: or-ed bits of enum program_effect that every use of the row has.
 *
 * Names are taken without their directory. Whether ./sort is the sort of this table, the caller must find out. */
/* clang-format on */
#ifndef PROGRAMS_PROGRAMS_H
#define PROGRAMS_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/list.h"
#include "base/str.h"
#include "programs/effects.h"

enum { PROGRAM_READS = 1, PROGRAM_WRITES = 2, PROGRAM_DELETES = 4, PROGRAM_RUNS = 8 };

/* What can be said of a word that is not known. */
enum shell_shape {
    SHAPE_ONE = 1,     /* it holds no blank and nothing that is special in a pattern */
    SHAPE_NO_DASH = 2, /* it does not begin with a dash */
    SHAPE_PLAIN = 4,   /* ASCII letters and digits only */
    SHAPE_DIGITS = 8,  /* digits only */
};

/* One word of a command as it will be at run time, as far as that can be known from the text. */
struct shell_word {
    struct str text;   /* after quote removal and expansion of what is known; WORD_UNKNOWN for each
                          part that is not */
    bool known : 1;    /* text is exactly what the program will get */
    bool may_glob : 1; /* unquoted glob characters are left in it, or an unknown part may bring some
                        */
    bool may_split : 1;  /* may become several words, or none */
    bool may_dash : 1;   /* may begin with a dash though we cannot see one */
    bool no_dash : 1;    /* a glob that matches no name with a dash in front on this disk */
    bool may_vanish : 1; /* with may_split: it is this one word, or none */
    bool found : 1; /* `like` is DIRECTORY/[two stars]/NAME: a path that find has found, hidden ones
                       too, as find writes it */
    bool fresh : 1; /* what mktemp has just made in the directory `like`, or something below that;
                       or, if mktemp failed, only what follows WORD_UNKNOWN */
    bool home : 1;  /* it begins with the home directory, which may be another one at run time: an
                       action with such words is listed twice, so that deny rules match either */
    bool translated : 1; /* $"...": `text` is what is written there; the locale may replace it */
    unsigned shape; /* enum shell_shape: of each part that is not known; with may_split of each word
                       that it becomes */
    struct str like; /* not known, but this shell pattern matches it in any case; empty: nothing
                        is known of it */
    size_t at, len;  /* place in the source text */
};

/* Where a row comes from. Rows of user and managed policy replace shipped ones of the same name. */
enum program_strength {
    PROGRAM_SHIPPED = 0,
    PROGRAM_BY_PROJECT,
    PROGRAM_BY_USER,
    PROGRAM_BY_MANAGED
};

/* What a program puts into a directory that is not there when the call is judged; the greater, the
 * stricter. */
enum program_brings {
    BRINGS_NOTHING = 0,
    BRINGS_NAMES,   /* a link, or a file under another name */
    BRINGS_COPIES,  /* whole directories with their links, which exist already */
    BRINGS_ARCHIVE, /* links that need not exist on the disk before */
};

/* What any words after the name of a program can make it do. */
enum program_danger {
    DANGER_NONE = 0,
    DANGER_RIGHTS,
    DANGER_NETWORK,
    DANGER_COMMANDS,
    DANGER_CODE,
    DANGER_REMOVAL,
    DANGER_CONTROL,
    DANGER_SCRIPTS,
    DANGER_MANY,
};

/* What it can print, as far as names of files are concerned. */
enum program_prints {
    PRINTS_ANYTHING = 0, /* or it is not known */
    PRINTS_LINES, /* lines of its input and of the files that it reads; grep -l their names */
    PRINTS_NAMES, /* names of files that are there */
    PRINTS_NEW,   /* the name of a file that was not there */
    PRINTS_WORDS, /* its words */
    PRINTS_NOTHING,
};

/* Of git: what it prints of the contents that git keeps, or writes under other names. */
enum program_shows {
    SHOWS_OBJECTS = 0, /* anything, or it is not known; if it has `broadens`, with such an option */
    SHOWS_LINES,       /* lines of anything, which a pattern chooses */
    SHOWS_CHANGES,     /* how tracked files differ: with an option of `broadens` what was only just
                          added, and if a revision is named any commit */
    SHOWS_INDEX,       /* what was only just added, with an option of `broadens` */
    SHOWS_NOTHING,     /* names, ids and messages; or files under the names that they had */
};

/* Of git: where the work is that it may lose. What is saved of a repository gives it back. */
enum program_saves {
    SAVES_NOT = 0, /* not known, or in other repositories: it cannot be saved */
    SAVES_REFS,    /* in refs, their logs, the index and what else git keeps beside objects */
    SAVES_TREE,    /* ... and in the work tree: files that it chooses */
    SAVES_FILES,   /* ... or in the files of it that the command names */
    SAVES_ALWAYS,  /* as SAVES_TREE, and also if the command is not known to lose anything */
};

struct program_row {
    const char *name, *options, *operands;
    unsigned effects;
    const char *source; /* the page these facts were read from, or "run here"; of an added row its
                           FILE:LINE */
    enum program_strength strength; /* of rows that a policy file adds */

    /* Of wrappers: rows with a command (role I) or a text for a shell (role S) as an operand.
     * shell/ lists what is inside as an action of its own. */
    bool transparent;    /* an allow rule for the inner command covers it */
    bool only_bare;      /* ... when no option is in front of the command (env -i, time -o) */
    bool appends;        /* words from outside are added to the command (xargs, parallel) */
    bool keeps_state;    /* it runs in the shell itself: a cd inside lasts (builtin, command) */
    bool elsewhere;      /* the command may start in another directory or root (chroot, sudo -i) */
    bool waits;          /* the command runs once, and is over when this is; of others not said: it
                            may start again or go on (xargs, watch, setsid). `transparent` ones do */
    bool only_shells;    /* no file of this name: only a shell can run it (eval) */
    const char *queries; /* with one of these as the first word it runs nothing (command -v) */
    const char *by_line; /* with these words and numbers alone in front of the command, what is
                            added to it are the lines of the standard input (xargs) */

    /* Facts that no role or effect says. They hold for the name of the row, not for others of the
     * same program; `brings`, `talks` and `fronted` for those, too. */
    enum program_brings brings;
    bool starts_plainly; /* a command inside is the program of that name in PATH, and starts in the
                            same directory */
    bool talks;          /* to other hosts, though its row has no such effect */
    bool fronted;      /* its name may stand for a version manager, which reads files of the project
                          to choose what it starts: even --version runs what they name */
    bool quotes_words; /* some versions give its words to a shell, between double quotes */
    const char *hosts_in; /* files of the project that name the hosts it talks to */
    const char *kit; /* of package managers: kits.h. It holds for all rows of the program that have
                        none of their own; "": none, because it installs for the whole machine */
    /* Of rows that run the project's code. The first two hold for all rows of the program that have
     * none of their own. */
    const char *starts_from; /* files of the project that say which code it runs, here and in the
                                directories above; a name may have one star */
    bool runs_no_source;     /* it compiles or checks what it reads and runs none of it, so only the
                                files above count */
    bool runs_found;         /* it runs whatever programs are in a directory */
    bool compiles;           /* it writes a program that is made of the files that it reads */
    bool writes_no_text; /* what it writes has no contents of its own, or keeps them (mkdir, touch)
                          */
    bool leaves_files;   /* all as they are, but for git's own and where its redirections go */
    bool on_itself;      /* what it changes of a directory is the directory: rights, owner, what is
                            mounted there */
    bool leaves_input;   /* it does not read its standard input, */
    const char *opens; /* and opens one file, its last word: a digit, which operand that is, and the
                          letters of the options that may come in front of it */
    /* Of rows that read or write whole directories. Options are named as in the row, separated by
     * blanks. */
    const char *follows;  /* with one of these, links below a directory are followed; "*", and NULL
                             where contents are read: always; "": never */
    const char *unhides;  /* hidden names are skipped, unless one of these is given */
    const char *broadens; /* with one of these it prints more than its pattern chooses, or reads
                             what it skips otherwise */
    /* Of languages in which a command is a string that a function gets, as in system("ls"): the
     * other ways to start one. ` between backticks, | "ls" | getline, o open("ls|"), e the command
     * of sed; $ variables are filled in between double quotes. NULL: not such a language, or not
     * known */
    const char *launches;
    enum program_prints prints;
    enum program_shows shows;
    const char *takes; /* of git: with one of these options, or with "*" always, it keeps contents
                          of the whole work tree, and not only of the files that its words name */
    /* Of git: with one of these options it rewrites tracked files, with one of `spares` and none of
     * these it does not; "": never. Both NULL: always, unless `leaves_files` says otherwise. */
    const char *rewrites, *spares;
    bool takes_back; /* of git: what the commits brought that it names is taken out again */
    enum program_saves saves;
    bool prints_urls; /* of remotes, or any setting of git: a password in one is printed, too */
    const char *same; /* options with two entries above that are one: -f and --follow?=, of which
                         only the long one takes a value: "-f,--follow" */
    /* Of programs that fetch: with these options alone, and URLs, it gets what is there and prints
     * it, and no redirect, proxy or setting leads elsewhere. "-m=" takes any value, "-X=GET" this
     * one, "-H=Accept:" one that begins so; an option with + in front must be there, and
     * comes before all others. */
    const char *fetches;
    const char *implies; /* options that have others in them, for rules that forbid those: "-a>-r"
                            -a is more than -r, "-D:-d,-f" -D is both and no more, "--x=n*>-f" with
                            such a value */
    const char *options_in; /* options whose value is a file, or a text, with more options in it
                               (curl -K); "@": operands that begin so are one */
    const char *names_in; /* with one of these options it takes names of files from a file, or from
                             its standard input; "*": always; with a word that begins as one that
                             ends in @ */
    const char *no_options; /* values of those, or their beginnings with a star, that say no option:
                               settings of git that have none */
    const char *set_by;     /* variables that hold its options, or say what one of them says:
                               "TAR_OPTIONS", "HUSKY*>--no-verify" */
    const char *also;       /* other names of the same command, separated by commas */
    const char *scripts; /* of package.json that it runs by itself, if they are there: "prepare" of
                            npm install. The first one is what it is for if that is the end of its
                            name (npm test); "*": any of its words may be one, and npm:NAME */
    const char *shares_scripts; /* of a program: those that run the same scripts of package.json */
    bool task_by_task;          /* its operands are tasks, and it does one after the other (make) */
    const char *bare;  /* the subcommand that is meant where none is named (git stash: push) */
    const char *kinds; /* of the operands after a subcommand: words that name the same kind of
                          thing,      separated by commas; other kinds after a blank */
    bool empties;      /* what it writes has lost its contents, or some of them (truncate) */
    bool signals;      /* its options are signals: -9 is -KILL and -s SIGKILL */
    bool bits;         /* an operand is a mode of files: 777 is a=rwx */
    const char *says;  /* what people read where it runs code: "runs SQL in a database" */
    const char *meant; /* the effect (rule/effect.h) that people mean who forbid the program */
    enum program_danger danger; /* where its operands and effects do not say it: subcommands and
                                   options do it (find -exec), or a reader knows (sed) */
};

struct program_path {
    struct str text; /* as the word (or its part after '=') says it */
    size_t word;     /* which word; 0 when the path is in none: the working directory */
    unsigned access;
    bool recursive; /* everything below it, too */
    bool names;     /* it is only listed: names, sizes and dates are read, no contents */
    bool guess;     /* a part of a text, and perhaps no path: an absolute one counts only if its
                       first directory exists */
    bool known, may_glob;
};
struct program_paths LIST_OF(struct program_path);

/* An option that was given and does more than say how the program works: it has an effect, writes,
 * deletes, or names the directory to work in. */
struct program_option {
    struct str names;   /* "-o,--output"; of one that no row lists, the word */
    unsigned effects;   /* of the option and its value */
    bool directory;     /* role P */
    bool deletes;       /* with it the operands are deleted (find -delete) */
    size_t path, paths; /* in `paths` of the use: the first one that its value names; how many */
};
struct program_options LIST_OF(struct program_option);

/* A revision of git that a command brings into the work tree, the index or a branch. */
enum program_revision_kind {
    REVISION_COMMIT = 0, /* a commit or a tree of this repository, or a range of commits */
    REVISION_OR_PATH,    /* the same, or the path of a file */
    REVISION_PULLED,     /* what a remote calls so, for a branch of our own */
    REVISION_TRACKED,    /* what a remote calls so, for a branch in refs/remotes */
};
struct program_revision {
    struct str text;
    enum program_revision_kind kind;
    bool known;
};
struct program_revisions LIST_OF(struct program_revision);

struct program_use {
    const struct program_row *row; /* the row that explained it; NULL: an unknown program */
    unsigned
        effects; /* of the row, its options, and EFFECT_UNKNOWN where something was not explained */
    struct program_paths paths;
    struct strs hosts;   /* URLs or hosts, as written */
    struct strs remotes; /* what role M took for the name of a remote; without one git takes a path
                            of that name */
    struct program_revisions revisions;
    struct strs starts_from; /* files that options name instead of those of the row's column */
    struct str directory; /* relative paths are below this one (git -C), which is relative itself to
                             the working directory; empty: they are not. Always known: otherwise it
                             is EFFECT_UNKNOWN */
    size_t script; /* the word that names a script which is the only code of its arguments (role Z);
                      0: none */
    struct str input;  /* the only code is what it reads on its standard input, in the language of
                          this reader */
    size_t input_word; /* the last word in front of those that such a text gets */
    bool built_in; /* with EFFECT_MODULES: no file takes the place of what it loads by a name (node)
                    */
    struct strs loads; /* ... and by a path it loads these, as data: .json, relative to the working
                          directory */
    size_t inner; /* with EFFECT_INNER: the first word of the command or text that is wrapped */
    struct str inner_text; /* it is this text (role S); s is NULL when it is a command (role I) */
    bool inner_known;      /* that word or text is known */
    size_t inners;         /* how many commands and texts are wrapped */
    struct str mark;     /* role O: in the words of the command, the place of words from outside */
    bool assigns;        /* words in front of the command set variables for it */
    bool only_uncounted; /* EFFECT_UNKNOWN only says that operands may be more words, or fewer */
    bool shortened;      /* an option was abbreviated: another version may read another one */
    struct strs tasks;   /* targets, tasks and scripts of the project that it runs by their names */
    struct strs codes;   /* words and values of options that are run as code, or that hold a command
                            (role X) */
    bool unseen;         /* what begins such a text, or a command, is not known */
    bool awaits;         /* it runs code, and no word says which: it comes on its standard input */
    bool prints;         /* an option with % was given: it may print a text and do nothing else */
    struct strs only; /* globs of the names of the files that are read below a directory; none: all
                       */
    bool selects;     /* of those only some lines are printed: a pattern chooses them, */
    struct strs chosen; /* each has one of these words, in any case of its letters; */
    bool
        searches_all; /* unless one matches nearly everything, or what lines with secrets contain */
    bool follows;     /* it follows links below a directory */
    bool unhidden;    /* hidden names are not skipped, where the row says that they may be */
    bool rewrites, spares, takes; /* an option of these columns was given */
    size_t doubt; /* the first word that was not explained; 0: none, or no single one */
    struct program_options options;
};

/* Rows that policy files add, sorted by name (by bytes), each name once. Those of a project
 * are only about programs without a shipped row: an agent may have written the project's file. */
struct program_rows LIST_OF(struct program_row);

/* The row of exactly this name; NULL when there is none, or `added` is NULL. */
const struct program_row *program_added(const struct program_rows *added, struct str name);
/* Our own row of exactly this name, or NULL; and whether there are rows of its
 * subcommands ("git push" of "git"). */
const struct program_row *program_shipped(struct str name);
bool program_has_subcommands(struct str name);
/* Our own row of the program that has exactly this name; and by whichever of its names. NULL if
 * there is none. */
const struct program_row *program_named(struct str name);
const struct program_row *program_by_any_name(struct str name);
/* May that row say something in one of these columns? False for most names, without a search. */
enum program_column {
    COLUMN_TASKS = 1, /* task_by_task, shares_scripts */
    COLUMN_BRINGS = 2,
    COLUMN_WRAPS = 4, /* program_is_wrapper() */
};
bool program_may_say(struct str name, enum program_column column);
/* Our own row of this subcommand of a program, by exactly these names. */
const struct program_row *program_subcommand(struct str program, struct str subcommand);
/* Is there a shipped row for the program that is the first word of this name? */
bool program_is_shipped(struct str name);

/* Does our own row of this name, or the row that it is another name of, wrap a command (role I) or
 * a text for a shell (role S) as an operand? */
bool program_is_wrapper(struct str name);

/* What any words after the name of this program can make it do, as the end of a sentence ("runs any
 * other command"); NULL when there is nothing to warn of. Versions do not count: python3.11 is
 * python. Subcommands may follow the name ("npm run"), and a blank at the end means: and any other
 * word. */
const char *program_danger(struct str program);

/* The same for a reader of rules, who should know more than what to be stopped from: also that
 * options of the program run other commands (tar), and that it prints any file (cat). */
const char *program_caution(struct str program);

/* The column `meant` of our own row of this program, or NULL. */
const char *program_meant(struct str program);

/* Is it what the row is for that its operands are code or commands (python, bash, env, awk)? Not
 * where it is run on another machine (ssh). */
bool program_runs_operands(const struct program_row *row);

/* Can an option of the row do more than its operands do? */
bool program_has_risky_options(const struct program_row *row);

/* Is `name` one of an option's names, "-o,--output"? */
bool program_option_named(struct str names, struct str name);

/* Explains one command. words[0] is the program, with or without a directory. `more` may be NULL.
 */
void program_explain(struct arena *a, const struct shell_word *words, size_t count,
                     const struct program_rows *more, struct program_use *out);

/* Reads the text of the standard input in the language `use->input`: what it does replaces
 * EFFECT_CODE. */
void program_explain_input(struct arena *a, const struct shell_word *words, size_t count,
                           struct str text, struct program_use *use);

/* Does a search for this pattern print only lines with a word that says what is searched for, and
 * that is no word of secrets? Adds such words: a line that it matches has one of them. */
bool program_pattern_selects(struct arena *a, struct str pattern, struct strs *words);

/* May a module that Python loads have this name? Case does not matter: on some disks it makes no
 * difference. */
bool program_is_module_name(struct str name);

/* Explains what a script of the project may do with its words: words[script] is its name, those
 * after it may be paths. What is in the script is not read: the caller decides whether it may run.
 */
void program_explain_script(struct arena *a, const struct shell_word *words, size_t count,
                            size_t script, struct program_use *out);

/* How most GNU programs read their options, to begin a row with. */
#define GNU_OPTIONS "abbrev mixed %--help %--version "

/* The rows that we ship: file by file, for tests and lists. Rows are sorted by name (by bytes). */
struct program_file {
    const char *name;
    const struct program_row *rows;
    size_t count;
};
const struct program_file *const *program_files(size_t *count);
extern const struct program_file *const program_file_list[]; /* the same, to be indexed */

/* Is the row well formed? NULL, or what is wrong with it: for rows of policy files and for
 * tests. */
const char *program_row_fault(const struct program_row *row);
/* The same for a row that a policy file adds, of which less is allowed. */
const char *program_added_fault(const struct program_row *row);

#endif
