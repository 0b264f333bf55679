#include "report/samples.h"

#include "rule/effect.h"

const struct sample_effect sample_effects[SAMPLE_EFFECTS] = {
    {0, "ls"},
    {0, "frobnicate x"},
    {DOES_DELETE, "rm -rf build"},
    {DOES_DELETE, "find . -name x -delete"},
    {DOES_DELETE, "unlink x"},
    {DOES_WRITE, "touch x"},
    {DOES_WRITE, "echo x > out.txt"},
    {DOES_NETWORK, "curl https://example.com/x"},
    {DOES_NETWORK, "git clone https://example.com/x.git"},
    {DOES_SEND | DOES_NETWORK, "curl -d @x https://example.com/"},
    {DOES_SEND, "git push origin main"},
    {DOES_PRIVILEGE, "sudo id"},
    {DOES_SECRETS, "cat ~/.ssh/id_rsa"},
    {DOES_SECRETS, "printenv"},
    {DOES_INSTALL, "npm install x"},
    {DOES_INSTALL, "pip install x"},
    {DOES_LOSS, "git reset --hard"},
    {DOES_LOSS, "git clean -fdx"},
    {DOES_CODE, "sh ./x.sh"},
    {DOES_CODE, "python3 -c 'import os; os.system(\"id\")'"},
    {DOES_PROJECT, "make"},
    {DOES_PROJECT, "npm test"},
    {DOES_REPOSITORY, "git commit -m x"},
    {DOES_SYSTEM, "systemctl restart x"},
    {DOES_SYSTEM, "apt-get install x"},
    {DOES_PROCESS, "kill 1"},
};

/* Past the closing bracket; the whole text if it is not closed. */
static size_t class_end(struct str p, size_t at)
{
    size_t end = at + 1;

    while (end < p.len && (p.s[end] == '!' || p.s[end] == '^'))
        end++;
    if (end < p.len && p.s[end] == ']')
        end++;
    while (end < p.len && p.s[end] != ']')
        end++;
    return end;
}

static size_t add_class(struct buf *b, struct str p, size_t at)
{
    size_t end = class_end(p, at);
    bool negated = at + 1 < p.len && (p.s[at + 1] == '!' || p.s[at + 1] == '^');

    if (end == p.len) {
        buf_byte(b, '[');
        return at;
    }
    buf_byte(b, negated || p.s[at + 1] == '[' ? 'x' : p.s[at + 1]);
    return end;
}

static size_t skip_group(struct str p, size_t at)
{
    size_t depth = 1;

    while (at < p.len && depth) {
        depth += p.s[at] == '{';
        depth -= p.s[at] == '}';
        at++;
    }
    return at - 1;
}

struct str sample_glob(struct arena *a, struct str p)
{
    struct buf b = buf_in(a);
    size_t open = 0;

    for (size_t i = 0; i < p.len; i++) {
        char c = p.s[i];
        if (c == '\\' && i + 1 < p.len)
            buf_byte(&b, p.s[++i]);
        else if (c == '?' || (c == '*' && (i == 0 || p.s[i - 1] != '*')))
            buf_byte(&b, 'x');
        else if (c == '[')
            i = add_class(&b, p, i);
        else if (c == '{' && str_has(str_from_byte(p, i), '}'))
            open++;
        else if (open && c == ',')
            i = skip_group(p, i + 1), open--;
        else if (open && c == '}')
            open--;
        else if (c != '*')
            buf_byte(&b, c);
    }
    return buf_str(&b);
}

static struct str anchor_of(struct arena *a, const struct rule_path *p, struct str home,
                            struct str project)
{
    struct str from = p->anchor == ANCHOR_HOME   ? home
                      : p->anchor == ANCHOR_ROOT ? (struct str){"", 0}
                                                 : project;
    struct buf b = buf_in(a);

    buf_add(&b, from);
    for (unsigned i = 0; i < p->up; i++)
        buf_text(&b, "/..");
    return buf_str(&b);
}

struct str sample_path(struct arena *a, const struct rule_path *p, struct str home,
                       struct str project)
{
    struct str name = sample_glob(a, p->pattern), from = anchor_of(a, p, home, project);

    return str_format(a, "%.*s/%.*s", STR_ARG(from),
                      STR_ARG(str_from_byte(name, str_starts(name, STR("/")))));
}
