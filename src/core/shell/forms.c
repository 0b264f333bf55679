/* forms.c - the spellings of an action that rules are held against. */
#include "shell/walk.h"

struct str words_join(struct arena *a, const struct shell_word *words, size_t count)
{
    size_t len = count ? count - 1 : 0;

    for (size_t i = 0; i < count; i++)
        len += words[i].text.len;
    char *out = arena_bytes(a, len + 1), *at = out;
    for (size_t i = 0; i < count; i++) {
        if (i)
            *at++ = ' ';
        if (words[i].text.len)
            memcpy(at, words[i].text.s, words[i].text.len);
        at += words[i].text.len;
    }
    *at = '\0';
    return (struct str){out, len};
}

/* Options that stand before a subcommand, so that `git -C x push` can be known as `git push`.
 * Values: those that take the next word. Other words with a dash are taken for flags. */
static const struct globals {
    const char *program;
    const char *values;
} globals[] = {
    {"ansible", "-i"},
    {"apt", "-o -c -t"},
    {"apt-get", "-o -c -t"},
    {"aws", "--profile --region --output --endpoint-url --query --color --ca-bundle"},
    {"az", "--subscription --output -o --query"},
    {"brew", ""},
    {"bun", "--cwd --config -c"},
    {"bundle", "--gemfile"},
    {"cargo", "--color --config -Z -C --manifest-path"},
    {"composer", "-d --working-dir"},
    {"conda", ""},
    {"docker", "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey"},
    {"docker-compose", "-f --file -p --project-name --profile --env-file --project-directory"},
    {"dotnet", ""},
    {"flutter", "-d --device-id"},
    {"gcloud", "--project --account --configuration --format --verbosity"},
    {"gh", "-R --repo --hostname"},
    {"git", "-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix "
            "--attr-source"},
    {"go", "-C"},
    {"helm", "-n --namespace --kube-context --kubeconfig"},
    {"hg", "-R --repository --cwd --config"},
    {"kubectl",
     "-n --namespace --context --kubeconfig --cluster --user -s --server --token --as --cache-dir"},
    {"npm", "--prefix -w --workspace --loglevel --registry --userconfig -C"},
    {"pip", "--python --log --proxy --timeout --cache-dir"},
    {"pip3", "--python --log --proxy --timeout --cache-dir"},
    {"pnpm", "-C --dir -F --filter"},
    {"podman", "--root --url --log-level -c --connection"},
    {"poetry", "-C --directory -P --project"},
    {"rustup", ""},
    {"svn", "--username --password --config-dir --config-option"},
    {"systemctl", "-H --host -M --machine -t --type -p --property -n --lines"},
    {"terraform", ""},
    {"uv", "--directory --project --cache-dir --config-file --python -p"},
    {"yarn", "--cwd"},
};

const struct names global_names = NAMES(globals, NAMED_GLOBALS);

static bool has_word(const char *words, struct str word)
{
    for (const char *at = words; *at;) {
        size_t len = strcspn(at, " ");
        if (len == word.len && memcmp(at, word.s, len) == 0)
            return true;
        at += len + (at[len] == ' ');
    }
    return false;
}

static bool is_option(struct str word)
{
    return word.len > 1 && (word.s[0] == '-' || word.s[0] == '+');
}

/* Where the subcommand stands; 1 when nothing stands before it or the program has none. */
static size_t subcommand_at(struct walk *w, const struct shell_word *words, size_t count)
{
    const struct globals *row;
    size_t i = 1;

    if (count < 2 || !is_option(words[1].text) ||
        !(row = names_find(w, &global_names, command_name(w, words[0].text))))
        return 1;
    while (i < count && is_option(words[i].text))
        i += has_word(row->values, words[i].text) ? 2 : 1;
    return i < count ? i : 1;
}

enum home_style { HOME_WRITTEN = 0, HOME_TILDE, HOME_VARIABLE };

static void add_word(struct buf *b, struct str text, struct str home, enum home_style style)
{
    bool in_home =
        home.len && str_starts(text, home) && (text.len == home.len || text.s[home.len] == '/');

    if (style == HOME_WRITTEN || !in_home) {
        buf_add(b, text);
        return;
    }
    buf_text(b, style == HOME_TILDE ? "~" : "$HOME");
    buf_add(b, str_from_byte(text, home.len));
}

struct form {
    const struct shell_word *words;
    size_t count;
    bool base;      /* without the program's directory */
    size_t skip_to; /* words from 1 to here are left away */
    enum home_style home;
};

static void push_form(struct walk *w, struct strs *out, const struct form *f)
{
    struct buf b = buf_in(w->arena);

    for (size_t i = 0; i < f->count; i++) {
        if (i && i < f->skip_to)
            continue;
        if (i)
            buf_byte(&b, ' ');
        struct str text = f->words[i].text;
        add_word(&b, i == 0 && f->base ? base_name(text) : text, w->context->home, f->home);
    }
    if (!strs_has(out, buf_str(&b)))
        LIST_PUSH(w->arena, out, buf_str(&b));
}

static bool mentions_home(const struct walk *w, const struct shell_word *words, size_t count)
{
    struct str home = w->context->home;

    for (size_t i = 0; home.len && i < count; i++)
        if (str_starts(words[i].text, home))
            return true;
    return false;
}

/* `slashed`: one of the words begins with a slash, as every home does. */
__attribute__((noinline)) static void push_deny_forms(struct walk *w, struct strs *out,
                                                      const struct shell_word *words, size_t count,
                                                      bool slashed)
{
    size_t sub = subcommand_at(w, words, count);
    bool path = command_name(w, words[0].text).len != words[0].text.len;
    enum home_style last = slashed && mentions_home(w, words, count) ? HOME_VARIABLE : HOME_WRITTEN;

    for (enum home_style home = HOME_WRITTEN; home <= last; home++) {
        struct form f = {words, count, false, 0, home};
        if (home)
            push_form(w, out, &f); /* as it is written it is there already */
        f.base = true;
        if (path)
            push_form(w, out, &f);
        f.skip_to = sub;
        if (sub > 1)
            push_form(w, out, &f);
    }
}

/* git --no-pager changes nothing but the display. */
static void push_without_pager(struct walk *w, struct strs *out, const struct shell_word *words,
                               size_t count)
{
    size_t i = 1;

    if (!str_is(words[0].text, "git"))
        return;
    while (i < count && (str_is(words[i].text, "--no-pager") || str_is(words[i].text, "-P")))
        i++;
    if (i > 1 && i < count)
        push_form(w, out, &(struct form){words, count, false, i, HOME_WRITTEN});
}

/* In the same memory: full as it is, it moves when one more is pushed. */
static struct strs same_forms(const struct strs *forms)
{
    return (struct strs){.items = forms->items, .count = forms->count, .room = forms->count};
}

/* How many wrappers are peeled in the forms of one action; the inner ones are actions of their own.
 */
#define PEEL_MAX 8

/* Takes a wrapper off the front; false: there is none. */
static bool peel(struct walk *w, struct shell_words *rest, bool transparent_only)
{
    size_t inner = wrapper_inner(w, rest, transparent_only);

    *rest = (struct shell_words){.items = rest->items + inner, .count = rest->count - inner};
    return inner > 0;
}

RARE static void peeled_forms(struct walk *w, struct shell_action *a, bool slashed)
{
    struct shell_words rest = a->words;

    for (int i = 0; i < PEEL_MAX && (!i || peel(w, &rest, true)); i++) {
        LIST_PUSH(w->arena, &a->allow_forms,
                  i ? words_join(w->arena, rest.items, rest.count) : a->normal);
        push_without_pager(w, &a->allow_forms, rest.items, rest.count);
    }
    rest = a->words;
    a->deny_forms = same_forms(&a->allow_forms);
    for (int i = 0; i < PEEL_MAX && (!i || peel(w, &rest, false)); i++) {
        if (i)
            push_form(w, &a->deny_forms, &(struct form){.words = rest.items, .count = rest.count});
        push_deny_forms(w, &a->deny_forms, rest.items, rest.count, slashed);
    }
}

static void command_forms(struct walk *w, struct shell_action *a, bool slashed)
{
    const struct shell_word *words = a->words.items;
    struct str name = command_name(w, words[0].text);
    const struct named *named = names_of(w, name);

    if (named->rows[NAMED_WRAPPER] || has_added(w)) {
        peeled_forms(w, a, slashed);
        return;
    }
    LIST_PUSH(w->arena, &a->allow_forms, a->normal);
    push_without_pager(w, &a->allow_forms, words, a->words.count);
    a->deny_forms = same_forms(&a->allow_forms);
    /* other forms have a home or the program's directory in them, or leave options in front of a
     * subcommand away */
    if (slashed || name.len != words[0].text.len || named->rows[NAMED_GLOBALS])
        push_deny_forms(w, &a->deny_forms, words, a->words.count, slashed);
}

static struct str assignment(struct arena *a, struct str name, struct str value)
{
    struct buf b = buf_in(a);

    buf_add(&b, name);
    buf_byte(&b, '=');
    buf_add(&b, value);
    return buf_str(&b);
}

/* One look at the words: does one begin with a slash, and do they stand in the text as words_join()
 * would put them? */
static void look_at(const struct shell_words *words, bool *slashed, bool *joined)
{
    const char *next = words->items[0].text.s;

    *slashed = false;
    *joined = true;
    for (size_t i = 0; i < words->count; i++) {
        struct str text = words->items[i].text;
        if (!text.len) { /* it may stand nowhere */
            *joined = false;
            continue;
        }
        *slashed |= text.s[0] == '/';
        *joined &= text.s == next && (!i || next[-1] == ' ');
        next = text.s + text.len + 1;
    }
}

bool fill_forms(struct walk *w, struct shell_action *a)
{
    const struct shell_word *last = &a->words.items[a->words.count - 1];
    bool slashed, joined;

    look_at(&a->words, &slashed, &joined);
    if (a->kind == SHELL_COMMAND) {
        const char *from = a->words.items[0].text.s;
        if (joined)
            a->normal = (struct str){from, (size_t)(last->text.s + last->text.len - from)};
        else
            a->normal = words_join(w->arena, a->words.items, a->words.count);
        command_forms(w, a, slashed);
        return slashed;
    }
    if (a->kind == SHELL_ASSIGN)
        a->normal = assignment(w->arena, a->words.items[0].text, a->words.items[1].text);
    else
        a->normal = a->words.items[0].text;
    LIST_PUSH(w->arena, &a->allow_forms, a->normal);
    a->deny_forms = same_forms(&a->allow_forms);
    if (a->kind == SHELL_REDIRECT)
        push_deny_forms(w, &a->deny_forms, a->words.items, 1, slashed);
    return slashed;
}
