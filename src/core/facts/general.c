#include "facts/general.h"

#include "base/ascii.h"
#include "base/path.h"
#include "facts/host.h"
#include "facts/sensitive_paths.h"
#include "rule/suggest.h"

#define WORD_MAX 64 /* bytes of a subcommand */

/* What the words of a rule cannot bound, in the order in which it is said. */
#define NEVER                                                                                      \
    ((unsigned)(EFFECT_PRIVILEGE | EFFECT_SECRETS | EFFECT_LOSS | EFFECT_SYSTEM | EFFECT_INSTALL | \
                EFFECT_CODE | EFFECT_EDITOR | EFFECT_MODULES | EFFECT_PROCESS | EFFECT_UNKNOWN |   \
                EFFECT_INNER))

static void never(struct general *out, const char *why)
{
    *out = (struct general){.kind = GENERAL_NEVER, .why = why, .name = out->name};
}

/* ---- words ---- */

/* One that means itself in a rule. */
static bool is_plain(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!ascii_is_alnum(word.s[i]) && !(word.s[i] && strchr("_-./+@", word.s[i])))
            return false;
    return word.len > 0;
}

/* git status, but not tool ./file, tool -x or tool 3. */
static bool is_subcommand(struct str word)
{
    if (word.len == 0 || word.len > WORD_MAX || !ascii_is_letter(word.s[0]))
        return false;
    for (size_t i = 0; i < word.len; i++)
        if (!ascii_is_alnum(word.s[i]) && word.s[i] != '_' && word.s[i] != '-')
            return false;
    return true;
}

static bool has_unknown_word(const struct action *a)
{
    for (size_t i = 0; i < a->subject.words.count; i++)
        if (str_has(a->subject.words.items[i], WORD_UNKNOWN))
            return true;
    return a->unknown != 0;
}

/* ---- paths ---- */

static bool touches_secret(const struct facts *f, const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (!a->subject.paths.items[i].below && path_secret(f, &a->subject.paths.items[i]))
            return true;
    return false;
}

static bool has_access(const struct action *a, unsigned access)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (a->subject.paths.items[i].access & access)
            return true;
    return false;
}

static bool runs_only_workspace(const struct facts *f, const struct action *a)
{
    size_t runs = 0;

    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (!(p->access & ACCESS_RUN) || p->folded)
            continue;
        if (!path_in_workspace(f, p))
            return false;
        runs++;
    }
    return runs > 0;
}

static bool is_in_workspace(const struct facts *f, const struct action *a, struct str word)
{
    char resolved[WORLD_PATH_MAX];
    struct subject_path p = {0};

    if (!path_absolute(f->arena, a->cwd, f->home, word, &p.written))
        return false;
    p.resolved = f->world->resolve(f->world->context, p.written.s, resolved)
                     ? str_copy(f->arena, str_from(resolved))
                     : p.written;
    return path_in_workspace(f, &p);
}

/* ---- rules ---- */

/* The first `count` words, and anything after them. False if they cannot be written as they are. */
static bool name_words(const struct facts *f, const struct strs *words, size_t count,
                       struct general *out)
{
    struct buf b = buf_in(f->arena);

    for (size_t i = 0; i < count; i++) {
        if (!is_plain(words->items[i]))
            return false;
        if (i)
            buf_byte(&b, ' ');
        buf_add(&b, words->items[i]);
    }
    out->name = buf_str(&b);
    out->rule = str_format(f->arena, "Bash(%.*s:*)", STR_ARG(out->name));
    return true;
}

/* A name that no option is part of: "git push" of `git -C x push`. */
static struct strs words_of_row(const struct facts *f, const struct action *a)
{
    struct str row = str_from(a->row->name), word, rest;
    struct strs words = {0};

    str_cut(row, ' ', &word, &rest);
    LIST_PUSH(f->arena, &words, a->name);
    while (str_next_word(&rest, &word))
        LIST_PUSH(f->arena, &words, word);
    return words;
}

static void by_row(const struct facts *f, const struct action *a, enum general_kind kind,
                   struct general *out)
{
    struct strs words = words_of_row(f, a);

    out->kind = kind;
    if (!name_words(f, &words, words.count, out))
        never(out, "has a name that a rule cannot hold");
}

/* What people call it, whether or not it can be a rule. */
static struct str name_of(const struct facts *f, const struct action *a)
{
    struct general named = {0};
    struct strs words = a->row ? words_of_row(f, a) : a->subject.words;
    size_t count = a->row ? words.count : words.count > 1 && is_subcommand(words.items[1]) ? 2 : 1;

    return words.count && name_words(f, &words, count, &named) ? named.name : a->name;
}

static void by_script(const struct facts *f, const struct action *a, size_t word,
                      struct general *out)
{
    out->kind = GENERAL_SCRIPT;
    if (!(word ? runs_only_workspace(f, a) : is_in_workspace(f, a, a->subject.words.items[0])))
        never(out, "runs a file outside the workspace");
    else if (!name_words(f, &a->subject.words, word + 1, out))
        never(out, "has a name that a rule cannot hold");
}

/* Only this one command: a star would stand for every file of the workspace, or for everything that
 * an unknown program can do. */
static void by_literal(const struct facts *f, const struct action *a, enum general_kind kind,
                       struct general *out)
{
    out->kind = kind;
    out->rule = rule_suggest(f->arena, &a->subject, DIALECT_WARDER, &f->env, false, NULL);
    if (!out->rule.len)
        never(out, "cannot be written as a rule");
}

/* mkdir and touch write nothing of their own; what cp and tee write may be anything next time. */
static void by_writing(const struct facts *f, const struct action *a, struct general *out)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & ACCESS_WRITE) && !p->folded && !path_in_workspace(f, p)) {
            never(out, "writes outside the workspace");
            return;
        }
    }
    by_literal(f, a, a->row->writes_no_text ? GENERAL_BOUNDED : GENERAL_WRITES, out);
}

static void by_name(const struct facts *f, const struct action *a, struct general *out)
{
    const struct strs *words = &a->subject.words;

    out->kind = GENERAL_UNKNOWN;
    if (!is_plain(a->name))
        never(out, "has a name that a rule cannot hold");
    else if (words->count > 1 && is_subcommand(words->items[1])) {
        if (!name_words(f, words, 2, out))
            never(out, "has a name that a rule cannot hold");
    } else {
        by_literal(f, a, GENERAL_UNKNOWN, out);
    }
}

/* A tool of a server, or one that fetches. What other tools do (editing files) has modes. */
static void by_tool(const struct facts *f, const struct action *a, struct general *out)
{
    bool asks_server = f->call->kind == TOOL_MCP || f->call->kind == TOOL_FETCH;

    out->kind = GENERAL_SENDS;
    if (!is_plain(f->call->tool)) /* the agent chose it, and a star in a rule is none in a name */
        asks_server = false;
    out->rule = asks_server
                    ? rule_suggest(f->arena, &a->subject, DIALECT_WARDER, &f->env, false, NULL)
                    : (struct str){0};
    if (!out->rule.len)
        never(out, "is not a command; modes and rules on paths are for files");
}

/* ---- hosts ---- */

static bool take_hosts(const struct facts *f, const struct action *a, struct general *out)
{
    const struct strs *hosts = &a->subject.hosts;

    for (size_t i = 0; i < hosts->count; i++) {
        if (!host_is_plain(hosts->items[i]))
            return false;
        if (!host_is_loopback(hosts->items[i]))
            LIST_PUSH(f->arena, &out->hosts, hosts->items[i]);
    }
    return hosts->count || !(a->effects & EFFECT_NETWORK);
}

/* ---- all of it ---- */

static const char *first_of(const struct facts *f, unsigned effects)
{
    unsigned bit = effects & (0u - effects);

    return program_effects_text(f->arena, bit).s;
}

static void by_effects(const struct facts *f, const struct action *a, struct general *out)
{
    if (a->effects & NEVER)
        never(out, first_of(f, a->effects & NEVER));
    else if (has_access(a, ACCESS_DELETE))
        never(out, "deletes files");
    else if (!a->row)
        never(out, "is a function or script defined in the call");
    else if (!take_hosts(f, a, out))
        never(out, "talks to an unknown host");
    else if (a->subject.hosts.count || (a->effects & (EFFECT_SEND | EFFECT_NETWORK)))
        by_row(f, a, GENERAL_SENDS, out);
    else if (!a->effects && has_access(a, ACCESS_WRITE))
        by_writing(f, a, out);
    else if (!a->effects)
        never(out, "reads more than the words of a rule can limit");
    else
        by_row(f, a, a->effects & EFFECT_PROJECT ? GENERAL_SCRIPT : GENERAL_BOUNDED, out);
}

void action_generalise(const struct facts *f, const struct action *a, struct general *out)
{
    *out = (struct general){.name = a->subject.shell ? name_of(f, a) : f->call->tool};
    if (!a->subject.shell)
        by_tool(f, a, out);
    else if (a->redirect)
        never(out, "is a redirection");
    else if (a->assignment)
        never(out, "sets a variable");
    else if (!a->subject.words.count || has_unknown_word(a))
        never(out, "has a part that is only known at run time");
    else if (touches_secret(f, a))
        never(out, "touches secrets");
    else if (a->script_word || a->by_path)
        by_script(f, a, a->script_word, out);
    else if (!a->program)
        by_name(f, a, out);
    else
        by_effects(f, a, out);
}
