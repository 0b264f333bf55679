#include "facts/unknown_field.h"

#include "base/ascii.h"
#include "programs/programs.h"

#define WORD_MAX 16 /* bytes of a word that is one of a few: "fast", "compact" */

/* Parts of names that say who runs it, where, or what is run: then even a number or a yes matters
 * ("uid": 0, "elevated": true). */
static bool is_about_the_run(struct arena *a, struct str key)
{
    struct str parts = STR("run exec command cmd script code program shell arg input stdin env "
                           "var cwd dir path file folder root user group uid gid sudo admin owner "
                           "as_ right cap privileg elevat escalat sandbox jail contain host port "
                           "net url proxy remote target device pid key token secret trust approv "
                           "allow deny permi policy mode danger safe bypass disable skip force "
                           "confirm secur auth hook eval load plugin module image mount workspace"),
               part;
    struct str lower = str_copy(a, key);
    char *s = arena_copy(a, lower.s, lower.len);

    for (size_t i = 0; i < lower.len; i++)
        s[i] = ascii_lower(s[i]);
    lower.s = s;
    while (str_next_word(&parts, &part))
        if (str_contains(lower, part))
            return true;
    return false;
}

/* Lower-case letters with dashes between them: no option, no path with a slash or a dot, nothing
 * that a shell expands. */
static bool is_word(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!(text.s[i] >= 'a' && text.s[i] <= 'z') &&
            !(i && i + 1 < text.len && (text.s[i] == '-' || text.s[i] == '_')))
            return false;
    return text.len > 0 && text.len <= WORD_MAX;
}

/* One word may still be the name of a program, or of a file that is there. */
static bool is_inert_text(const struct facts *f, struct str text)
{
    return text.len == 0 || (is_word(text) && !program_by_any_name(text) &&
                             !program_added(f->book->programs, text) &&
                             !facts_has(f, f->call->cwd, str_copy(f->arena, text).s));
}

static bool is_inert(const struct facts *f, const struct member *m)
{
    if (call_knows_field(f->call, m->key) || is_about_the_run(f->arena, m->key))
        return false;
    switch (m->value.kind) {
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_INTEGER:
    case VALUE_FLOAT:
        return true;
    case VALUE_STRING:
        return is_inert_text(f, m->value.text);
    case VALUE_TIME:
    case VALUE_ARRAY:
    case VALUE_OBJECT:
        break;
    }
    return false;
}

const struct member *unknown_field(const struct facts *f)
{
    const struct member *m;
    size_t at = 0;

    if (f->call->input->count == 1 && f->shared.has_first)
        return NULL; /* as in most calls, which have only the command field */
    while ((m = call_unknown_field(f->call, &at)))
        if (!is_inert(f, m))
            return m;
    return NULL;
}
