#include "client/register.h"

#include "base/json.h"
#include "base/path.h"
#include "call/tool.h"
#include "client/field.h"
#include "client/splice.h"
#include "client/strict.h"

#define HOOKS "hooks"

/* ---- templates ---- */

/* warder-hook has no commands; warder needs the word `hook`. */
static bool is_hook_itself(const struct registrar *r)
{
    return str_is(path_base(r->program), REGISTER_HOOK);
}

struct str register_command(struct arena *a, const struct registrar *r)
{
    struct buf b = buf_in(a);

    buf_shell_word(&b, r->program);
    if (!is_hook_itself(r))
        buf_text(&b, " hook");
    if (r->ran)
        buf_text(&b, " --ran");
    if (r->home.len) {
        buf_text(&b, " --home ");
        buf_shell_word(&b, r->home);
    }
    buf_format(&b, " --client %s",
               strcmp(r->client->name, "vscode") == 0 ? "auto" : r->client->name);
    return buf_str(&b);
}

/* What comes before --client where a list has the words one by one. */
static struct str first_words(struct arena *a, const struct registrar *r)
{
    struct buf b = buf_in(a);

    if (!is_hook_itself(r))
        buf_text(&b, "\"hook\", ");
    if (r->ran)
        buf_text(&b, "\"--ran\", ");
    if (r->home.len) {
        buf_text(&b, "\"--home\", ");
        json_string(&b, r->home);
        buf_text(&b, ", ");
    }
    return buf_str(&b);
}

static void fill_name(struct buf *b, struct str *rest, struct str name, struct str value,
                      bool quoted)
{
    if (quoted)
        json_string(b, value);
    else
        buf_add(b, value);
    *rest = str_from_byte(*rest, name.len);
}

/* `"PATH": "/usr/libexec/warder:$PATH", `; nothing where the client would read the name of the
 * directory as something else. */
static struct str launch_member(struct arena *a, const struct registrar *r)
{
    struct buf b = buf_in(a);

    if (r->launch.len == 0 || str_has(r->launch, ':') || str_has(r->launch, '$'))
        return (struct str){0};
    buf_text(&b, "\"PATH\": ");
    json_string(&b, str_join(a, r->launch, STR(":$PATH")));
    buf_text(&b, ", ");
    return buf_str(&b);
}

static struct str fill(struct arena *a, const struct registrar *r, const char *template)
{
    struct str rest = str_from(template), command = register_command(a, r);
    struct str timeout =
        str_format(a, "%u", REGISTER_TIMEOUT * (r->row->per_second ? r->row->per_second : 1));
    struct buf b = buf_in(a);

    while (rest.len) {
        if (str_starts(rest, STR("$COMMAND_LINE")))
            fill_name(&b, &rest, STR("$COMMAND_LINE"), command, false);
        else if (str_starts(rest, STR("$COMMAND")))
            fill_name(&b, &rest, STR("$COMMAND"), command, true);
        else if (str_starts(rest, STR("$PROGRAM")))
            fill_name(&b, &rest, STR("$PROGRAM"), r->program, true);
        else if (str_starts(rest, STR("$HOOK")))
            fill_name(&b, &rest, STR("$HOOK"), first_words(a, r), false);
        else if (str_starts(rest, STR("$LAUNCH")))
            fill_name(&b, &rest, STR("$LAUNCH"), launch_member(a, r), false);
        else if (str_starts(rest, STR("$TIMEOUT")))
            fill_name(&b, &rest, STR("$TIMEOUT"), timeout, false);
        else {
            buf_byte(&b, rest.s[0]);
            rest = str_from_byte(rest, 1);
        }
    }
    return buf_str(&b);
}

struct str register_canary(struct arena *a, const struct registration *row, struct str command,
                           struct str cwd)
{
    struct str rest = str_from(row->canary);
    struct buf b = buf_in(a);

    while (rest.len) {
        if (str_starts(rest, STR("$CMD")))
            fill_name(&b, &rest, STR("$CMD"), command, true);
        else if (str_starts(rest, STR("$CWD")))
            fill_name(&b, &rest, STR("$CWD"), cwd, true);
        else {
            buf_byte(&b, rest.s[0]);
            rest = str_from_byte(rest, 1);
        }
    }
    return buf_str(&b);
}

/* ---- which entries are ours ---- */

static bool runs_warder(struct str command)
{
    return str_contains(command, STR("warder")) && str_contains(command, STR("hook"));
}

/* One handler: {"command": "... warder hook ..."} or {"command": "warder", "args": ["hook", ...]}.
 */
struct str register_command_in(struct arena *a, const struct value *handler)
{
    static const char *const names[] = {"command", "bash", "linux"};
    const struct value *args = value_get(handler, "args");

    for (size_t i = 0; i < COUNT(names); i++) {
        struct str command = value_text(handler, names[i]);
        struct buf b = buf_in(a);
        if (command.len == 0)
            continue;
        if (!args)
            return command;
        buf_shell_word(&b, command);
        for (size_t n = 0; n < args->count; n++) {
            buf_byte(&b, ' ');
            buf_shell_word(&b, args->items[n].text);
        }
        return buf_str(&b);
    }
    return (struct str){0};
}

/* Our handler in an entry, which may be a handler itself or have some in "hooks". NULL: none. */
static const struct value *our_handler(struct arena *a, const struct value *entry)
{
    const struct value *inner = value_get(entry, HOOKS);

    if (runs_warder(register_command_in(a, entry)))
        return entry;
    for (size_t i = 0; inner && inner->kind == VALUE_ARRAY && i < inner->count; i++)
        if (runs_warder(register_command_in(a, &inner->items[i])))
            return &inner->items[i];
    return NULL;
}

/* ---- JSON ---- */

/* Index of our entry in the event's list; STR_NONE when there is none. An entry that also has
 * other handlers was written by the user and is left alone. */
static size_t our_entry(struct arena *a, const struct value *document, struct str event)
{
    const struct value *hooks = value_get(document, HOOKS);
    const struct member *list = hooks ? value_member(hooks, event) : NULL;

    for (size_t i = 0; list && list->value.kind == VALUE_ARRAY && i < list->value.count; i++) {
        const struct value *entry = &list->value.items[i], *inner = value_get(entry, HOOKS);
        if (our_handler(a, entry) && (!inner || inner->count == 1))
            return i;
    }
    return STR_NONE;
}

static bool is_same(struct arena *a, const struct value *document, struct str event, size_t index,
                    struct str wanted)
{
    struct buf there = buf_in(a), ours = buf_in(a);
    const struct member *list = value_member(value_get(document, HOOKS), event);
    struct value v;

    json_value(&there, &list->value.items[index]);
    if (json_read(a, wanted, NULL, &v, NULL) != STATUS_OK)
        return false;
    json_value(&ours, &v);
    return str_eq(buf_str(&there), buf_str(&ours));
}

static enum status remove_event(struct arena *a, struct str event, struct str *text,
                                struct error *err)
{
    struct value document;
    enum status status;

    for (;;) {
        if ((status = splice_read(a, *text, &document, err)) != STATUS_OK)
            return status;
        size_t index = our_entry(a, &document, event);
        if (index == STR_NONE)
            return STATUS_OK;
        if ((status = splice_remove(a, *text, HOOKS, event, index, text, err)) != STATUS_OK)
            return status;
    }
}

static enum status add_event(struct arena *a, const struct registrar *r, struct str event,
                             struct str *text, struct error *err)
{
    struct str entry = fill(a, r, r->row->entry);
    struct value document;
    enum status status = splice_read(a, *text, &document, err);

    if (status != STATUS_OK)
        return status;
    size_t index = our_entry(a, &document, event);
    if (index != STR_NONE && is_same(a, &document, event, index, entry))
        return STATUS_OK;
    if ((status = remove_event(a, event, text, err)) != STATUS_OK)
        return status;
    return splice_add(a, *text, HOOKS, event, entry, text, err);
}

static enum status each_of(struct arena *a, const struct registrar *r, const char *events, bool add,
                           struct str *text, struct error *err)
{
    struct str rest = str_from(events), event;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && str_next_word(&rest, &event))
        status = add ? add_event(a, r, event, text, err) : remove_event(a, event, text, err);
    return status;
}

static enum status each_event(struct arena *a, const struct registrar *r, bool add,
                              struct str *text, struct error *err)
{
    struct registrar ran = *r;
    enum status status = each_of(a, r, r->row->events, add, text, err);

    ran.ran = true;
    return status == STATUS_OK ? each_of(a, &ran, r->row->ran, add, text, err) : status;
}

/* ---- a block of TOML ---- */

/* Where a line with this text begins, at or after `from`; STR_NONE: there is none. */
static size_t line_that_starts(struct str text, size_t from, struct str mark)
{
    for (size_t i = from; i + mark.len <= text.len; i++)
        if ((i == 0 || text.s[i - 1] == '\n') && str_starts(str_from_byte(text, i), mark))
            return i;
    return STR_NONE;
}

static size_t end_of_line(struct str text, size_t at)
{
    while (at < text.len && text.s[at++] != '\n')
        ;
    return at;
}

/* The first line of a block, and the last one; its .s is NULL where the next table ends it. */
static struct str block_begin(const struct registration *row, struct str *last)
{
    struct str block = str_trim(str_from(row->block)), first, rest;
    size_t at = block.len;

    *last = (struct str){0};
    if (block.s[0] != '#' || !str_cut(block, '\n', &first, &rest))
        return STR("[[hooks]]");
    while (at > 0 && block.s[at - 1] != '\n')
        at--;
    *last = str_from_byte(block, at);
    return first;
}

/* STR_NONE: its last line is gone, and what follows may be somebody else's. */
static size_t block_end(struct str text, size_t from, struct str last)
{
    size_t at = line_that_starts(text, from + 1, last.s ? last : STR("["));

    if (last.s)
        return at == STR_NONE ? STR_NONE : end_of_line(text, at);
    return at == STR_NONE ? text.len : at;
}

/* Where our block begins and ends. */
static bool find_block(const struct registration *row, struct str text, size_t *from, size_t *to)
{
    struct str last, mark = block_begin(row, &last);

    for (size_t i = 0; (i = line_that_starts(text, i, mark)) != STR_NONE; i++) {
        size_t end = block_end(text, i, last);
        if (end != STR_NONE && runs_warder(str_slice(text, i, end))) {
            *from = i;
            *to = end;
            return true;
        }
    }
    return false;
}

static struct str without_block(struct arena *a, const struct registration *row, struct str text)
{
    size_t from, to;

    while (find_block(row, text, &from, &to)) {
        /* The empty line that was put before it goes, too. */
        if (from >= 2 && text.s[from - 1] == '\n' && text.s[from - 2] == '\n')
            from--;
        text = str_join(a, str_slice(text, 0, from), str_from_byte(text, to));
    }
    return text;
}

static struct str with_block(struct arena *a, const struct registrar *r, struct str text)
{
    struct str block = fill(a, r, r->row->block);
    size_t from, to;

    if (find_block(r->row, text, &from, &to) &&
        str_eq(str_trim(str_slice(text, from, to)), str_trim(block)))
        return text;
    text = without_block(a, r->row, text);
    return str_format(a, "%.*s%s%s", STR_ARG(text),
                      text.len == 0               ? ""
                      : str_ends(text, STR("\n")) ? "\n"
                                                  : "\n\n",
                      block.s);
}

/* ---- all of it ---- */

enum status register_add(struct arena *a, const struct registrar *r, struct str text,
                         struct str *out, struct error *err)
{
    struct value document;
    enum status status;

    *out = text;
    if (r->row->whole) {
        *out = fill(a, r, r->row->whole);
        return STATUS_OK;
    }
    if (r->row->block) {
        *out = with_block(a, r, text);
        return STATUS_OK;
    }
    if (!text.s || str_trim(text).len == 0)
        *out = str_from(r->row->blank);
    if ((status = strict_read(a, r->client, r->row, *out, &document, err)) != STATUS_OK ||
        (status = each_event(a, r, true, out, err)) != STATUS_OK)
        return status;
    return strict_read(a, r->client, r->row, *out, &document, err);
}

enum status register_remove(struct arena *a, const struct registrar *r, struct str text,
                            struct str *out, struct error *err)
{
    enum status status = STATUS_OK;

    *out = text;
    if (r->row->whole) {
        if (runs_warder(text))
            *out = (struct str){0};
        return STATUS_OK;
    }
    if (r->row->block)
        *out = without_block(a, r->row, text);
    else
        status = each_event(a, r, false, out, err);
    if (status == STATUS_OK && !str_eq(*out, text) &&
        (str_trim(*out).len == 0 ||
         (r->row->blank && str_eq(str_trim(*out), str_trim(str_from(r->row->blank))))))
        *out = (struct str){0};
    return status;
}

/* ---- looking ---- */

/* Everything behind the program, which may be in another place than ours. */
static struct str options_of(struct str command)
{
    static const struct str first = STR(" --");

    for (size_t i = 0; i + first.len <= command.len; i++)
        if (str_starts(str_from_byte(command, i), first))
            return str_from_byte(command, i);
    return (struct str){0};
}

/* --home is written where HOME is not what the system says; it may be missing. */
static bool same_options(struct arena *a, const struct registrar *r, struct str command)
{
    struct registrar plain = *r;

    plain.home = (struct str){0};
    return str_eq(options_of(command), options_of(register_command(a, r))) ||
           str_eq(options_of(command), options_of(register_command(a, &plain)));
}

static bool is_command_key(struct str name)
{
    return str_is(name, "command") || str_is(name, "args") || str_is(name, "bash") ||
           str_is(name, "linux");
}

static bool same_value(struct arena *a, const struct value *x, const struct value *y)
{
    struct buf left = buf_in(a), right = buf_in(a);

    json_value(&left, x);
    json_value(&right, y);
    return str_eq(buf_str(&left), buf_str(&right));
}

/* A key that ours does not have, or another value of one. How long the client waits, and the
 * matcher, are told apart elsewhere. */
static struct str odd_key(struct arena *a, const struct value *there, const struct value *ours)
{
    for (size_t i = 0; there && i < there->count; i++) {
        const struct member *m = &there->members[i];
        const struct member *wanted = ours ? value_member(ours, m->key) : NULL;
        if (str_starts(m->key, STR("timeout")) || str_is(m->key, "matcher") ||
            str_is(m->key, HOOKS) || str_is(m->key, "failClosed") || is_command_key(m->key))
            continue;
        if (!wanted || !same_value(a, &m->value, &wanted->value))
            return str_format(a, "\"%.*s\"", STR_ARG(m->key));
    }
    return (struct str){0};
}

static struct str odd_in(struct arena *a, const struct registrar *r, const struct value *entry,
                         const struct value *handler)
{
    struct value ours;
    struct str command = register_command_in(a, handler), odd;

    if (json_read(a, fill(a, r, r->row->entry), NULL, &ours, NULL) != STATUS_OK)
        return STR("an entry that cannot be compared");
    odd = entry == handler ? (struct str){0} : odd_key(a, entry, &ours);
    if (odd.len == 0)
        odd = odd_key(a, handler, our_handler(a, &ours));
    if (odd.len == 0 && !same_options(a, r, command))
        odd = str_trim(options_of(command));
    return odd.len || same_options(a, r, command) ? odd : STR("other options");
}

/* Variables that say which libraries, which home or which policy a program of the agent takes. */
static bool is_odd_variable(struct str name)
{
    static const char *const fronts[] = {"LD_", "XDG_", "WARDER_", "GLIBC_", "MALLOC_"};

    for (size_t i = 0; i < COUNT(fronts); i++)
        if (str_starts(name, str_from(fronts[i])))
            return true;
    return str_is(name, "HOME") || str_is(name, "GCONV_PATH") || str_is(name, "LOCPATH");
}

static bool is_among(const char *words, struct str name)
{
    struct str rest = str_from(words), word;

    while (str_next_word(&rest, &word))
        if (str_eq(word, name))
            return true;
    return false;
}

static struct str odd_variable(const struct registration *row, const struct value *document)
{
    const struct value *env = value_get(document, "env");

    for (size_t i = 0; env && env->kind == VALUE_OBJECT && i < env->count; i++)
        if (is_odd_variable(env->members[i].key) ||
            (row->off_env && is_among(row->off_by, env->members[i].key)))
            return env->members[i].key;
    return (struct str){0};
}

/* Everything is copied: the text goes. */
static void note_entry(struct arena *a, const struct value *entry, const struct value *handler,
                       struct registered_entry e, struct registered *out)
{
    const struct value *inner = value_get(entry, HOOKS);

    e.handler = inner && inner != handler ? (size_t)(handler - inner->items) : 0;
    e.matcher = value_get(entry, "matcher") ? str_copy(a, value_text(entry, "matcher")) : e.matcher;
    e.command = str_copy(a, register_command_in(a, handler));
    e.timeout = out->timeout;
    LIST_PUSH(a, &out->entries, e);
}

static void look_at_entry(struct arena *a, const struct registrar *r, struct str event,
                          const struct value *list, size_t index, struct registered *out)
{
    const struct value *entry = &list->items[index];
    const struct value *handler = our_handler(a, entry), *closed, *timeout;
    struct str matcher = value_text(entry, "matcher");

    if (!handler)
        return;
    out->events++;
    if (out->command.len == 0)
        out->command = register_command_in(a, handler);
    out->dynamic |= !str_contains(register_command_in(a, handler), STR(REGISTER_HOOK));
    if (out->odd.len == 0)
        out->odd = str_copy(a, odd_in(a, r, entry, handler));
    timeout = value_get(handler, "timeout") ? value_get(handler, "timeout")
                                            : value_get(handler, "timeoutSec");
    if (timeout)
        (void)value_integer(timeout, &out->timeout);
    note_entry(a, entry, handler,
               (struct registered_entry){.event = str_copy(a, event), .group = index}, out);
    out->narrow = out->narrow || (matcher.len && !str_is(matcher, "*") && !str_is(matcher, ".*"));
    closed = value_get(handler, "failClosed");
    if (strstr(r->row->entry, "failClosed") &&
        !(closed && closed->kind == VALUE_BOOL && closed->boolean))
        out->fails_open = true;
}

static void look_at_ran(struct arena *a, const struct registrar *r, const struct value *document,
                        struct registered *out)
{
    struct str rest = str_from(r->row->ran), event;
    struct registrar ran = *r;

    ran.ran = true;
    while (str_next_word(&rest, &event)) {
        size_t index = our_entry(a, document, event);
        const struct member *list =
            index == STR_NONE ? NULL : value_member(value_get(document, HOOKS), event);
        const struct value *entry = list ? &list->value.items[index] : NULL;
        out->ran_missing += !entry || odd_in(a, &ran, entry, our_handler(a, entry)).len;
    }
}

static bool says(const struct value *document, const char *path, bool wanted)
{
    const struct value *v = field_at(document, str_from(path));

    return v && v->kind == VALUE_BOOL && v->boolean == wanted;
}

/* Gemini CLI calls a hook by its name, ours by what NAMED_HANDLER says. */
static bool names_us(const struct value *list)
{
    for (size_t i = 0; list && list->kind == VALUE_ARRAY && i < list->count; i++)
        if (list->items[i].kind == VALUE_STRING && str_contains(list->items[i].text, STR("warder")))
            return true;
    return false;
}

struct str register_off_switch(const struct value *document)
{
    if (says(document, "disableAllHooks", true))
        return STR("disableAllHooks");
    if (says(document, "hooksConfig.enabled", false))
        return STR("hooksConfig.enabled");
    if (names_us(field_at(document, STR("hooksConfig.disabled"))))
        return STR("hooksConfig.disabled");
    if (says(document, "features.hooks", false))
        return STR("features.hooks");
    if (says(document, "features.codex_hooks", false))
        return STR("features.codex_hooks");
    return (struct str){0};
}

static enum status look_at_json(struct arena *a, const struct registrar *r, struct str text,
                                struct registered *out, struct error *err)
{
    struct str rest = str_from(r->row->events), event;
    struct value document;
    enum status status = strict_read(a, r->client, r->row, text, &document, err);
    const struct value *hooks = status ? NULL : value_get(&document, HOOKS);

    if (status == STATUS_OK) {
        out->off = register_off_switch(&document);
        out->odd_env = str_copy(a, odd_variable(r->row, &document));
    }
    while (status == STATUS_OK && str_next_word(&rest, &event)) {
        const struct member *list = hooks ? value_member(hooks, event) : NULL;
        size_t before = out->events;
        out->wanted++;
        for (size_t i = 0; list && list->value.kind == VALUE_ARRAY && i < list->value.count; i++)
            if (out->events == before)
                look_at_entry(a, r, event, &list->value, i, out);
    }
    if (status == STATUS_OK)
        look_at_ran(a, r, &document, out);
    return status;
}

enum status register_look(struct arena *a, const struct registrar *r, struct str text,
                          struct registered *out, struct error *err)
{
    size_t from, to;

    *out = (struct registered){0};
    if (!r->row->whole && !r->row->block)
        return look_at_json(a, r, text, out, err);
    out->wanted = 1;
    out->timeout = r->row->per_second ? REGISTER_TIMEOUT : 0;
    /* Texts that are ours have one spelling for each program; another one is an older version or
     * was edited. */
    const struct registrar either[] = {*r,
                                       {.client = r->client,
                                        .row = r->row,
                                        .program = r->other,
                                        .home = r->home,
                                        .launch = r->launch}};
    for (size_t i = 0; i < COUNT(either) && !out->events && either[i].program.len; i++)
        if (r->row->whole ? str_eq(text, fill(a, &either[i], r->row->whole))
                          : find_block(r->row, text, &from, &to)) {
            out->events = 1;
            out->command = register_command(a, &either[i]);
            out->dynamic =
                !str_contains(r->row->whole ? text : str_slice(text, from, to), STR(REGISTER_HOOK));
        }
    return STATUS_OK;
}
