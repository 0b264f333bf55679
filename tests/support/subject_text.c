#include "support/subject_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/path.h"
#include "rule/tool.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

const struct rule_env subject_env = {.cwd = {"/p", 2}, .home = {"/home/u", 7}};

static const struct {
    const char *tool, *first, *declared;
} tools[] = {
    {"Bash", "command", "command description timeout run_in_background"},
    {"run_shell", "command", "command"},
    {"exec_command", "cmd", "cmd workdir"},
    {"Read", "file_path", "file_path offset limit"},
    {"read_file", "file_path", "file_path"},
    {"list_files", "path", "path"},
    {"Edit", "file_path", "file_path old_string new_string"},
    {"edit_file", "file_path", "file_path"},
    {"Write", "file_path", "file_path content"},
    {"write_file", "file_path", "file_path content"},
    {"MultiEdit", "file_path", "file_path edits"},
    {"NotebookEdit", "notebook_path", "notebook_path"},
    {"Glob", "pattern", "pattern path"},
    {"Grep", "pattern", "pattern path glob"},
    {"LS", "path", "path"},
    {"WebFetch", "url", "url prompt"},
    {"WebSearch", "query", "query"},
    {"Agent", "prompt", "prompt description subagent_type model"},
    {"Skill", "skill", "skill args"},
    {"TodoWrite", NULL, "todos"},
};

static void split(struct arena *a, struct str s, char c, struct strs *out)
{
    struct str part;

    while (s.len > 0) {
        if (!str_cut(s, c, &part, &s))
            s = (struct str){0};
        LIST_PUSH(a, out, part);
    }
}

static void add_path(struct arena *a, struct subject *s, struct str path, unsigned access)
{
    struct subject_path p = {.access = access};

    if (path_absolute(a, subject_env.cwd, subject_env.home, path, &p.written)) {
        p.resolved = p.written;
        LIST_PUSH(a, &s->paths, p);
    }
}

static void add_host(struct arena *a, struct subject *s, struct str url)
{
    struct str host = url, rest;

    if (str_starts(url, STR("https://")))
        host = str_from_byte(url, 8);
    else if (str_starts(url, STR("http://")))
        host = str_from_byte(url, 7);
    else
        return;
    str_cut(host, '/', &host, &rest);
    str_cut(host, ':', &host, &rest);
    LIST_PUSH(a, &s->hosts, str_lower(a, host));
}

static void set_first(struct arena *a, struct subject *s, struct str first)
{
    const struct rule_tool *tool = rule_tool_find(s->names.items[0]);
    enum rule_content content = tool ? tool->content : CONTENT_TEXT;

    s->has_first = true;
    s->first = first;
    LIST_PUSH(a, &s->forms_allow, first);
    LIST_PUSH(a, &s->forms_deny, first);
    if (content == CONTENT_COMMAND) {
        s->shell = s->whole = true;
        split(a, first, ' ', &s->words);
    }
    if (content == CONTENT_PATH && !str_is(s->names.items[0], "Glob") &&
        !str_is(s->names.items[0], "Grep"))
        add_path(a, s, first,
                 tool->access & ACCESS_WRITE ? ACCESS_READ | ACCESS_WRITE : ACCESS_READ);
    if (content == CONTENT_URL)
        add_host(a, s, first);
}

static void describe_tool(struct arena *a, struct subject *s, struct str name, struct str first)
{
    s->understood = true;
    LIST_PUSH(a, &s->names, name);
    for (size_t i = 0; i < COUNT(tools); i++)
        if (str_is(name, tools[i].tool)) {
            s->known_tool = true;
            split(a, str_from(tools[i].declared), ' ', &s->declared);
            if (tools[i].first && first.len > 0)
                LIST_PUSH(a, &s->fields, (struct subject_field){str_from(tools[i].first), first});
        }
    if (first.len > 0)
        set_first(a, s, first);
}

static void read_path_option(struct arena *a, struct subject *s, struct str value)
{
    struct str marks, path;
    struct subject_path p = {0};

    str_cut(value, ':', &marks, &path);
    for (size_t i = 0; i < marks.len; i++) {
        char c = marks.s[i];
        p.access |= c == 'r'   ? ACCESS_READ
                    : c == 'w' ? ACCESS_WRITE
                    : c == 'd' ? ACCESS_DELETE
                    : c == 'x' ? ACCESS_RUN
                               : 0U;
        p.uncertain |= c == '?';
        p.pattern |= c == '*';
    }
    p.written = p.resolved = path;
    LIST_PUSH(a, &s->paths, p);
}

static void read_option(struct arena *a, struct subject *s, struct str option)
{
    struct str name, value, field, text;

    str_cut(option, '=', &name, &value);
    if (str_is(name, "form")) {
        s->whole = false;
        s->forms_allow.items[0] = s->forms_deny.items[0] = value;
        s->words.count = 0;
        split(a, value, ' ', &s->words);
    } else if (str_is(name, "deny")) {
        LIST_PUSH(a, &s->forms_deny, value);
    } else if (str_is(name, "unknown")) {
        s->understood = false;
    } else if (str_is(name, "alias")) {
        LIST_PUSH(a, &s->names, value);
    } else if (str_is(name, "unlisted")) {
        s->known_tool = false;
    } else if (str_is(name, "field")) {
        str_cut(value, ':', &field, &text);
        LIST_PUSH(a, &s->fields, (struct subject_field){field, text});
    } else if (str_is(name, "first")) {
        set_first(a, s, value);
    } else if (str_is(name, "path")) {
        read_path_option(a, s, value);
    } else if (str_is(name, "link")) {
        assert_true(s->paths.count > 0);
        s->paths.items[s->paths.count - 1].resolved = value;
    } else if (str_is(name, "host")) {
        LIST_PUSH(a, &s->hosts, value);
    } else {
        fail_msg("no such option of a subject: %.*s", STR_ARG(option));
    }
}

/* Up to the next " ;; ". */
static bool next_part(struct str *rest, struct str *part)
{
    static const struct str mark = {" ;; ", 4};

    if (rest->len == 0)
        return false;
    for (size_t i = 0; i + mark.len <= rest->len; i++)
        if (str_starts(str_from_byte(*rest, i), mark)) {
            *part = str_slice(*rest, 0, i);
            *rest = str_from_byte(*rest, i + mark.len);
            return true;
        }
    *part = *rest;
    *rest = (struct str){0};
    return true;
}

struct subject subject_from_text(struct arena *a, struct str line)
{
    struct subject s = {0};
    struct str part, name, first;

    assert_true(next_part(&line, &part));
    str_cut(part, ' ', &name, &first);
    describe_tool(a, &s, name, first);
    while (next_part(&line, &part))
        read_option(a, &s, str_trim(part));
    return s;
}
