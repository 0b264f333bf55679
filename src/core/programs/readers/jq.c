/* jq.c - whether a jq program only computes: jq cannot run or write anything, but it can print the
 * environment and load modules. */
#include "base/ascii.h"
#include "programs/reading.h"

/* How deep "\(...)" in strings is followed: it contains a program, which may contain strings. */
#define JQ_DEPTH_MAX 20

static const struct {
    const char *name;
    unsigned effect;
} names[] = {
    {"env", EFFECT_SECRETS},    {"ENV", EFFECT_SECRETS},     {"get_search_list", EFFECT_UNKNOWN},
    {"import", EFFECT_UNKNOWN}, {"include", EFFECT_UNKNOWN}, {"modulemeta", EFFECT_UNKNOWN},
};

struct filter {
    struct reading *r;
    size_t word;
    struct str text;
    size_t at;
    unsigned parens[JQ_DEPTH_MAX]; /* open in the program at this depth */
    unsigned depth;
    bool in_string, in_comment;
};

static void judge_name(struct filter *f, size_t from)
{
    struct str name = str_slice(f->text, from, f->at);
    bool variable = from > 0 && f->text.s[from - 1] == '$' && str_is(name, "env");
    bool field = from > 0 && f->text.s[from - 1] == '.' && (from < 2 || f->text.s[from - 2] != '.');
    size_t next = f->at;

    while (next < f->text.len && f->text.s[next] == ' ')
        next++;
    bool key =
        next < f->text.len && f->text.s[next] == ':' && (from == 0 || f->text.s[from - 1] != '$');
    if (field || variable || key)
        return; /* .env, $env, {env: 1} are harmless; $ENV reads the environment even as a key */
    for (size_t i = 0; i < COUNT(names); i++)
        if (str_is(name, names[i].name)) {
            f->r->out->effects |= names[i].effect;
            if (names[i].effect & EFFECT_UNKNOWN)
                doubt(f->r, f->word);
        }
}

static void read_string_byte(struct filter *f, char c)
{
    if (c == '"') {
        f->in_string = false;
    } else if (c == '\\' && f->at < f->text.len && f->text.s[f->at++] == '(') {
        if (f->depth + 1 == JQ_DEPTH_MAX) {
            doubt(f->r, f->word);
            f->at = f->text.len;
            return;
        }
        f->parens[++f->depth] = 1;
        f->in_string = false;
    }
}

static void read_code_byte(struct filter *f, char c)
{
    if (ascii_is_name(c)) {
        size_t from = f->at - 1;
        while (f->at < f->text.len && ascii_is_name(f->text.s[f->at]))
            f->at++;
        judge_name(f, from);
    } else if (c == '#') {
        f->in_comment =
            true; /* versions disagree about its end, so what follows is searched for names too */
    } else if (c == '"' && !f->in_comment) {
        f->in_string = true;
    } else if (c == '(') {
        f->parens[f->depth]++;
    } else if (c == ')' && f->depth && !f->in_comment && --f->parens[f->depth] == 0) {
        f->depth--;
        f->in_string = true;
    }
}

void read_jq(struct reading *r, struct piece p)
{
    struct filter f = {.r = r, .word = p.word, .text = p.text};

    if (!p.known)
        doubt(r, p.word);
    while (f.at < f.text.len) {
        char c = f.text.s[f.at++];
        if (f.in_string)
            read_string_byte(&f, c);
        else
            read_code_byte(&f, c);
    }
}
