#include "facts/tool_action.h"

#include "base/glob.h"
#include "base/path.h"
#include "facts/host.h"
#include "facts/touch.h"
#include "facts/unknown_field.h"

static void add_fields(struct facts *f, struct subject *s)
{
    size_t count = f->call->input->count;

    s->fields.items = arena_room(f->arena, count, sizeof(*s->fields.items));
    s->fields.count = s->fields.room = count;
    for (size_t i = 0; i < count; i++) {
        const struct member *m = &f->call->input->members[i];
        s->fields.items[i] = (struct subject_field){m->key, call_field_text(f->arena, &m->value)};
    }
}

static void add_tool(struct facts *f, struct subject *s, const struct tool *row)
{
    size_t count = row->alias_count + 2;
    struct str *names = arena_room(f->arena, count + 3, sizeof(*names)), *declared = names + count;

    names[0] = f->call->tool;
    names[1] = row->name;
    if (row->alias_count)
        memcpy(names + 2, row->aliases, row->alias_count * sizeof(*names));
    declared[0] = row->first;
    declared[1] = row->paths;
    declared[2] = row->others;
    s->names = (struct strs){names, count, count}; /* adding a name later allocates a new list */
    s->declared = (struct strs){declared, 3, 3};
    s->known_tool = true;
    s->above = tool_names_above(f->arena, row);
}

/* What every subject of this call has. */
void tool_share(struct facts *f)
{
    struct subject *s = &f->shared;
    struct str field;

    *s = (struct subject){.understood = true};
    if (f->call->row)
        add_tool(f, s, f->call->row);
    else
        LIST_PUSH(f->arena, &s->names, f->call->tool);
    add_fields(f, s);
    s->has_first = call_first(f->arena, f->call, &field, &s->first);
    s->names.room = s->names.count;
}

/* A host that clients may read differently is unknown: any rule on a domain may match it. Clients
 * remove tabs and newlines from a URL. */
static void doubt_hosts(struct facts *f, struct subject *s)
{
    struct str url = value_text(f->call->input, "url");
    bool plain = !str_has(url, '\t') && !str_has(url, '\n') && !str_has(url, '\r');

    for (size_t i = 0; i < s->hosts.count; i++)
        plain &= host_is_plain(s->hosts.items[i]);
    if (!plain)
        s->hosts.count = 0;
}

/* Unknown tools may still name files: deny and ask rules see every field that looks like a path. */
static void add_possible_paths(struct facts *f, struct subject *s)
{
    for (size_t i = 0; i < s->fields.count; i++) {
        struct str value = s->fields.items[i].value, raw;
        if (value.len && (value.s[0] == '/' || value.s[0] == '~') && !path_has_nul(value) &&
            !touch_is_full(f) && path_expand(f->arena, f->call->cwd, f->home, value, &raw))
            touch_clean(f, s, path_cleaned(f->arena, raw), raw,
                        ACCESS_READ | ACCESS_WRITE | ACCESS_DELETE, true);
        touch_hosts(f, s, value);
    }
    doubt_hosts(f, s);
}

/* An unknown field that looks like a path may be the one that counts: other clients use other
 * names. */
static void add_other_paths(struct facts *f, struct subject *s, unsigned access)
{
    const struct value *input = f->call->input;

    for (size_t i = 0; i < input->count; i++) {
        const struct member *m = &input->members[i];
        if (m->value.kind == VALUE_STRING && str_has(m->value.text, '/') &&
            !str_has(m->value.text, '\n') && !call_knows_field(f->call, m->key))
            touch_path(f, s, f->call->cwd, m->value.text, access);
    }
}

/* .e*, or unreadable. A leading star finds everything else too, as if there were no pattern. */
static bool finds_environment(struct arena *a, struct str name)
{
    struct glob *g;

    return name.s[0] != '*' && (glob_compile(a, name, 0, &g, NULL) != STATUS_OK ||
                                glob_match(g, STR(".env")) || glob_match(g, STR(".env.local")));
}

/* Restricts a recursive read to these files, so a pattern that names a secret reads it. The options
 * of grep and rg are treated the same. */
static void add_named_files(struct facts *f, struct subject *s, struct str directory,
                            struct str globs)
{
    while (globs.len) {
        size_t end = strcspn(globs.s, " ,{}");
        struct str name = path_base(str_slice(globs, 0, end < globs.len ? end : globs.len));
        globs = end < globs.len ? str_from_byte(globs, end + 1) : (struct str){0};
        if (name.len && name.s[0] != '!')
            touch_path(f, s, directory, finds_environment(f->arena, name) ? STR(".env") : name,
                       ACCESS_READ);
    }
}

/* Globs with blanks or commas between them are not told apart here. */
static struct str as_one_glob(struct str globs)
{
    if (globs.s[0] == '!' && str_has(globs, '/'))
        return STR("*");
    return str_has(globs, ' ') || (str_has(globs, ',') && !str_has(globs, '{')) ? STR("*")
                                                                                : path_base(globs);
}

/* What it prints of the files below its directory. */
static void search_tree(struct facts *f, struct action *a)
{
    struct str mode = value_text(f->call->input, "output_mode");

    a->recursive = true;
    a->selects = program_pattern_selects(f->arena, f->shared.first, &a->chosen);
    if (!a->selects) {
        a->chosen = (struct strs){0};
        a->selects = mode.len && !str_is(mode, "content");
    }
}

static void add_searched_files(struct facts *f, struct action *a)
{
    struct subject *s = &a->subject;
    static const char *const fields[] = {"glob", "include", "include_pattern", "file_pattern",
                                         "glob_pattern"};

    for (size_t i = 0; i < COUNT(fields); i++) {
        struct str globs = value_text(f->call->input, fields[i]);
        add_named_files(f, s, s->paths.items[0].written, globs);
        if (globs.len)
            LIST_PUSH(f->arena, &a->only, as_one_glob(globs));
    }
}

/* A glob tool's pattern may itself leave its directory. An unknown field may name another
 * directory: other clients use other names. */
static void add_search_paths(struct facts *f, struct action *a)
{
    struct subject *s = &a->subject;
    struct str pattern = value_text(f->call->input, "pattern");
    bool globs = f->call->row && str_is(f->call->row->name, "Glob");

    if (s->paths.count == 0)
        touch_clean(f, s, f->call->cwd, f->call->cwd, ACCESS_READ, false);
    if (f->call->row && str_is(f->call->row->name, "Grep")) {
        search_tree(f, a);
        add_searched_files(f, a);
        touch_tree(f, s, s->paths.items[0], ACCESS_READ, true);
    }
    if (globs && pattern.len &&
        (pattern.s[0] == '/' || pattern.s[0] == '~' || str_contains(pattern, STR(".."))))
        touch_pattern(f, s, s->paths.items[0].written, pattern, ACCESS_READ, false);
    if (unknown_field(f))
        touch_pattern(f, s, STR("/"), STR("/**"), ACCESS_READ, false);
}

static unsigned access_of(const struct call *c)
{
    switch (c->kind) {
    case TOOL_READ:
    case TOOL_SEARCH:
        return ACCESS_READ;
    case TOOL_EDIT:
    case TOOL_PATCH:
        return str_is(c->row->name, "Delete") ? ACCESS_WRITE | ACCESS_DELETE : ACCESS_WRITE;
    case TOOL_OTHER:
    case TOOL_SHELL:
    case TOOL_STDIN:
    case TOOL_FETCH:
    case TOOL_QUERY:
    case TOOL_AGENT:
    case TOOL_PLAN_ENTER:
    case TOOL_PLAN_EXIT:
    case TOOL_QUESTION:
    case TOOL_NOTE:
    case TOOL_MCP:
        break;
    }
    return 0;
}

static bool reads_many(const struct facts *f)
{
    return f->call->row && str_is(f->call->row->name, "ReadMany");
}

/* A tool that takes a directory takes everything below it, and one that takes patterns may find
 * anything below the directory that they begin with. */
static void add_trees(struct facts *f, struct subject *s, unsigned access)
{
    const bool many = reads_many(f);
    const size_t count = many || (access & ACCESS_DELETE) ? s->paths.count : 0;

    for (size_t i = 0; i < count; i++) {
        struct subject_path p = s->paths.items[i];
        const size_t wild = str_until(p.written, "*?[{");
        if (many && wild < p.written.len)
            p.written = p.resolved =
                str_copy(f->arena, path_dir(str_slice(p.written, 0, wild + 1)));
        if (f->world->kind(f->world->context, p.written.s) == FILE_DIRECTORY)
            touch_tree(f, s, p, access, true);
    }
}

void tool_action(struct facts *f)
{
    struct action a = {.subject = f->shared, .cwd = f->call->cwd};
    struct subject *s = &a.subject;
    struct strs paths = {0};
    unsigned access = access_of(f->call);
    struct str directory =
        f->call->kind == TOOL_PATCH ? call_directory(f->arena, f->call, f->home) : f->call->cwd;

    if (s->has_first) {
        LIST_PUSH(f->arena, &s->forms_allow, s->first);
        LIST_PUSH(f->arena, &s->forms_deny, s->first);
    }
    call_paths(f->arena, f->call, &paths);
    for (size_t i = 0; access && i < paths.count; i++)
        touch_path(f, s, directory, paths.items[i], access);
    if (access && f->call->kind != TOOL_SEARCH)
        add_other_paths(f, s, access);
    if (f->call->kind == TOOL_SEARCH)
        add_search_paths(f, &a);
    if (!f->call->row || access == 0)
        add_possible_paths(f, s);
    add_trees(f, s, access);
    for (size_t i = 0; reads_many(f) && i < paths.count; i++)
        add_named_files(f, s, directory, paths.items[i]); /* they may be patterns */
    s->whole = true;
    LIST_PUSH(f->arena, &f->actions, a);
}
