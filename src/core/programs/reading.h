/* reading.h - what the files of this room share: a command while it is being explained. */
#ifndef PROGRAMS_READING_H
#define PROGRAMS_READING_H

#include <stdint.h>

#include "base/rare.h"
#include "programs/programs.h"

#define SUBCOMMAND_DEPTH_MAX 4  /* words of a name: "aws s3api get-object" is three */
#define PLACES_MAX           12 /* operands that one form names one by one */
#define ADDED_TEXT_MAX                                                                             \
    ((size_t)16 * 1024) /* bytes of options and operands in a row that a policy file adds */

/* One option of a row. All views are of the row's strings. */
struct option {
    struct str names; /* "-o,--output" */
    struct str roles; /* after '='; several values are separated by commas */
    uint32_t set;     /* of its names (name_bit()), in an option that was found */
    unsigned effects;
    bool value, optional; /* takes one; only an attached one */
    bool prints;          /* % */
};

/* The words in front of a row's options, as bits. ORDER: as mode_words in modes.c */
enum row_mode {
    MODE_LONG = 1, /* +long */
    MODE_ABBREV = 2,
    MODE_AGAIN = 4, /* options go on after the first operand, but not after the second */
    MODE_ASSIGNS = 8,
    MODE_BUNDLE = 16,
    MODE_EXPRESSION = 32,
    MODE_GLOBAL = 64,
    MODE_MIXED = 128,
    MODE_NUMBER = 256,
    MODE_PLUS = 512,
    MODE_VERSIONS = 1024,
    MODE_NAMED = 2048, /* no word says so: one of its options has a name without a dash */
    MODE_WRAPS = 4096, /* nor here: a command or a shell text is an operand of it */
};

/* A part of an operands column. */
struct part {
    uint16_t at, len;
};

#define FORM_NONE UINT8_MAX /* for a place: there is none */

/* One form of an operands column, taken apart. */
struct form {
    uint32_t options; /* where none of these (name_bit()) was given it does not count; 0: that says
                         nothing */
    struct part text, conditions;
    struct part cwd;   /* "cwd", "cwd=w" or empty */
    struct part input; /* of "in=@python" the name; empty: none */
    uint16_t effects;
    uint8_t count, many; /* places, and which of them repeats */
    bool reads;          /* no role in it does more than read */
    bool runs, talks;    /* a role in it is about code (I X F Z S), or a host (N L M) */
    bool names_roles;    /* it gives the value of an option another role */
    struct part places[PLACES_MAX];
};

/* A row, and what is asked about it for every word. */
struct row_use {
    const struct program_row *row; /* NULL: there is none */
    size_t len;                    /* of its name */
    uint32_t hash;     /* of its name and a blank (index.h): names of its subcommands begin so */
    uint32_t indexed;  /* its place in the index, counted from 1; 0: it is not one of ours */
    bool renamed;      /* it was found under another name */
    unsigned modes;    /* enum row_mode */
    uint32_t trees;    /* row_trees() */
    bool subcommands;  /* there are rows of its subcommands */
    struct str reader; /* "@@env" without its marks; empty when no reader takes all words */
    const struct form *forms; /* of its operands; NULL: they are still to be taken apart */
    size_t form_count;
};

/* A set of names, in which one that was never added may seem to be. */
static inline uint32_t name_bit(struct str name)
{
    return UINT32_C(1) << ((name.len ^ (unsigned char)name.s[name.len - 1]) & 31);
}

/* A value, an operand, or a part of one. */
struct piece {
    size_t word;
    struct str text;
    bool known, may_glob;
    bool operand; /* "-" is a file name for some; as an option's value it never is */
};

/* An option that was given; one entry for each of its values. */
struct given {
    struct option option;
    bool has_value;
    struct str roles;
    struct piece value;
};
struct givens LIST_OF(struct given);

struct operands LIST_OF(size_t);

struct reading {
    struct arena *arena;
    const struct shell_word *words;
    size_t count, at;
    const struct program_rows *more;
    struct program_use *out;
    struct row_use
        *rows; /* SUBCOMMAND_DEPTH_MAX of them: the program's own first; the one in use last */
    struct row_use *use; /* that one */
    size_t depth;
    struct givens given;
    uint32_t names; /* of those, as a set (name_bit()) */
    struct operands operands;
    struct piece target; /* role T: where the operands go to; word 0: there is none */
    bool target_recursive;
    unsigned by_options; /* effects that the options and their values have */
    size_t uncounted;    /* the first operand that may be several words where a form counts them */
    bool ended;          /* no more options */
    bool named;          /* a row that was met is MODE_NAMED */
    bool prints;         /* an option with % was given */
    bool told;           /* a word says what is run */
    bool text;           /* an option holds a text of any content (@text) */
    bool loads; /* by an option (python -m) or a launcher (npx): what is printed comes from the
                   project's code */
};

static inline bool in_mode(const struct reading *r, enum row_mode mode)
{
    return r->use->modes & mode;
}

/* {2:-c} */
static inline bool is_operand_condition(struct str what)
{
    return what.len > 2 && what.s[0] >= '1' && what.s[0] <= '9' && what.s[1] == ':';
}

static inline bool begins_with_no_dash(const struct shell_word *w)
{
    return w->no_dash || (w->shape & SHAPE_NO_DASH);
}

/* programs.c */
RARE void doubt(struct reading *r, size_t word); /* EFFECT_UNKNOWN, because of this word */
void apply_role(struct reading *r, struct str roles, struct piece p);
void add_path(struct reading *r, struct piece p, unsigned access, bool recursive);
void add_inner(struct reading *r, char letter, struct piece p); /* role I or S */
void apply_target(struct reading *r);                           /* role T was met */
struct piece whole_word(const struct reading *r, size_t word);
void note_task(struct reading *r, struct piece p); /* it runs what the project calls so */
void note_option(struct reading *r, struct program_option o); /* where it is more than a setting */

/* find_row.c */
/* The other programs that a rule on this one, or on one of its commands, may name, as npx for npm
 * exec: which of program_name_lists (other_names.h). False: it has no row of ours. */
bool program_others_of(struct str name, size_t *list);
bool row_of_program(const struct reading *r, struct str path,
                    struct row_use *out); /* false: there is none */
/* Of this name, as a subcommand of `outer` unless that is NULL; false: there is none. */
bool row_find(const struct reading *r, const struct row_use *outer, struct str name,
              struct row_use *out);
/* The row without subcommands that *depth words lead to, which are `text` with blanks between them;
 * *depth becomes how many of them do. NULL: there is none, or the index alone cannot say so. */
const struct program_row *row_leaf(struct str text, const struct shell_word *words, size_t *depth);
bool row_option(const struct row_use *use, struct str name,
                struct option *out); /* false: it has none of this name */

/* unlisted.c: the option at r->at is in no row; is it plain that it runs, writes and loads nothing?
 */
RARE bool option_is_plain(const struct reading *r);

/* modes.c */
unsigned row_mode_named(struct str word); /* 0: none is called so */
unsigned row_modes(const struct program_row *row);
/* The options that say how it goes through whole directories, as a set (name_bit()). */
uint32_t row_trees(const struct program_row *row);
struct str row_reader(const struct program_row *row);

/* forms.c */
size_t forms_count(const char *operands);
const char *form_parse(const char *operands, const char *at,
                       struct form *out); /* returns where the next one begins */
bool role_is_risky(struct str roles);

/* option_parse.c */
bool option_parse(struct str token, struct option *out); /* false: a word such as "mixed" */
uint32_t names_set(struct str names);                    /* of an option */

/* option.c: the language of the options column */
bool option_named(const struct option *o, struct str name);
bool option_search(const struct program_row *row, struct str name,
                   struct option *out); /* row_option(), no index */
bool option_find(const struct reading *r, struct str name, struct option *out);
RARE bool option_abbreviated(const struct reading *r, struct str start, struct option *out);
/* Could the word, which is no option of any row, be one with an effect for another version of the
 * program: a shortened name, or a letter in a cluster? */
RARE bool option_like(const struct reading *r, struct str word, struct option *out);
RARE bool option_glued(const struct reading *r, struct str word, struct option *out,
                       size_t *len); /* for +long */

/* words.c: reads options as the program would */
bool read_option(struct reading *r); /* the word at r->at, and its values; false: it is none that
                                        the row lists */
RARE void read_bundle(struct reading *r);
bool could_be_option(const struct reading *r, const struct shell_word *w);

/* form_match.c: the language of the operands column */
void apply_form(struct reading *r);
void apply_given(struct reading *r); /* gives the options their own roles and forgets them */

/* readers.c */
bool is_assignment(const struct shell_word *w); /* NAME=value */
bool run_reader(struct reading *r, struct str name,
                struct piece p);              /* false: there is no such reader */
bool reader_has_subcommands(struct str name); /* of a row's reader; false: there is none */
bool reader_exists(struct str name);
bool reader_is_language(struct str name); /* what it reads is a program */

/* The readers: each judges one text, or all words from p.word on. */
void read_sed(struct reading *r, struct piece p);
void read_awk(struct reading *r, struct piece p);
void read_awkfile(struct reading *r, struct piece p);
void read_jq(struct reading *r, struct piece p);
void read_python(struct reading *r, struct piece p);
void read_js(struct reading *r, struct piece p);
void read_jstype(struct reading *r, struct piece p);
void read_listen(struct reading *r, struct piece p);
void read_data(struct reading *r, struct piece p);
void read_noplus(struct reading *r, struct piece p);
void read_pattern(struct reading *r, struct piece p);
void read_unitprop(struct reading *r, struct piece p);
void read_nobar(struct reading *r, struct piece p);
void read_nopipe(struct reading *r, struct piece p);
void read_printf(struct reading *r, struct piece p);
void read_yq(struct reading *r, struct piece p);
void read_ps(struct reading *r, struct piece p);
void read_test(struct reading *r, struct piece p);
void read_env(struct reading *r, struct piece p);
void read_refspec(struct reading *r, struct piece p);
void read_code(struct reading *r, struct piece p);
void read_header(struct reading *r, struct piece p);
void read_rule(struct reading *r, struct piece p);
void read_gitfile(struct reading *r, struct piece p);
void read_gitkey(struct reading *r, struct piece p);
void read_ref(struct reading *r, struct piece p);
void read_gitset(struct reading *r, struct piece p);
void read_strategy(struct reading *r, struct piece p);
void read_fzf(struct reading *r, struct piece p);
void read_github(struct reading *r, struct piece p);
void read_suffix(struct reading *r, struct piece p);
void read_arg(struct reading *r, struct piece p);
void read_args(struct reading *r, struct piece p);
bool word_is_expanded(struct str s);    /* by a shell that finds it between double quotes */
unsigned task_effects(struct str name); /* what a task, target or script of this name does */
void read_task(struct reading *r, struct piece p);
void read_settings(struct reading *r, struct piece p);
void read_rustc(struct reading *r, struct piece p);
void read_rustfmt(struct reading *r, struct piece p);
void read_naming(struct reading *r, struct piece p);
void read_report(struct reading *r, struct piece p);
void read_message(struct reading *r, struct piece p);
void read_taskname(struct reading *r, struct piece p);
void read_label(struct reading *r, struct piece p);
void read_text(struct reading *r, struct piece p);
void read_plain(struct reading *r, struct piece p);
void read_gomod(struct reading *r, struct piece p);
void read_rev(struct reading *r, struct piece p);
void read_commit(struct reading *r, struct piece p);
void read_treeish(struct reading *r, struct piece p);
void read_restored(struct reading *r, struct piece p);
void read_upstream(struct reading *r, struct piece p);
void read_stash(struct reading *r, struct piece p);
void read_fetched(struct reading *r, struct piece p);
void read_pulled(struct reading *r, struct piece p);
void read_symbolic(struct reading *r, struct piece p);
void read_define(struct reading *r, struct piece p);
void read_file(struct reading *r, struct piece p);
void read_goflags(struct reading *r, struct piece p);
void read_gopackage(struct reading *r, struct piece p);
void read_goreplace(struct reading *r, struct piece p);
void read_gradle(struct reading *r, struct piece p);
void read_ansible(struct reading *r, struct piece p);
void read_archive(struct reading *r, struct piece p);
void read_style(struct reading *r, struct piece p);
void read_inline(struct reading *r, struct piece p);
void read_input(struct reading *r, struct piece p);
void read_local(struct reading *r, struct piece p);
void read_maven(struct reading *r, struct piece p);
void read_mise(struct reading *r, struct piece p);
void read_name(struct reading *r, struct piece p);
void read_number(struct reading *r, struct piece p);
void read_emitted(struct reading *r, struct piece p);
void read_emptied(struct reading *r, struct piece p);
void read_outdir(struct reading *r, struct piece p);
void read_package(struct reading *r, struct piece p);
void read_script(struct reading *r, struct piece p);
void read_source(struct reading *r, struct piece p);
void read_target(struct reading *r, struct piece p);
void read_apart(struct reading *r, struct piece p);
void read_only(struct reading *r, struct piece p);
void read_except(struct reading *r, struct piece p);
void read_page(struct reading *r, struct piece p);
void read_formula(struct reading *r, struct piece p);
void read_dbname(struct reading *r, struct piece p);
void read_gitread(struct reading *r, struct piece p);
void read_at(struct reading *r, struct piece p);
void read_atname(struct reading *r, struct piece p);
void read_aws(struct reading *r, struct piece p);
void read_az(struct reading *r, struct piece p);
void read_form(struct reading *r, struct piece p);
void read_gcloud(struct reading *r, struct piece p);
void read_inspect(struct reading *r, struct piece p);
void read_kind(struct reading *r, struct piece p);
void read_method(struct reading *r, struct piece p);
void read_output(struct reading *r, struct piece p);
void read_setting(struct reading *r, struct piece p);
void read_sshset(struct reading *r, struct piece p);
void read_dbfile(struct reading *r, struct piece p);
void read_query(struct reading *r, struct piece p);
void read_sqlite(struct reading *r, struct piece p);
void read_tmux(struct reading *r, struct piece p);
void read_filter(struct reading *r, struct piece p);
void read_peer(struct reading *r, struct piece p);
void read_url(struct reading *r, struct piece p);
void read_writeout(struct reading *r, struct piece p);

#endif
