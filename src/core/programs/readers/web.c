/* web.c - readers for web, container and cluster clients: URLs, bodies, forms, output formats.
 *
 * A value with a mark (@file) is a file that leaves the machine; a URL may not lead to the host
 * that its first bytes show. Each of these readers accepts the plain case and doubts the rest. */
#include "base/ascii.h"
#include "programs/reading.h"

/* ":" and digits, or nothing. */
static bool is_port(struct str s)
{
    if (!s.len)
        return true;
    for (size_t i = 1; i < s.len; i++)
        if (!ascii_is_digit(s.s[i]))
            return false;
    return s.s[0] == ':' && s.len > 1;
}

/* host, host:port or [::1]:port, and nothing that could change the host: no user@, no {a,b} or
 * [1-9] that curl expands, no escapes, nothing unknown. */
static bool is_plain_authority(struct str s)
{
    size_t i = 0;

    if (str_starts(s, STR("[::1]")))
        return is_port(str_from_byte(s, 5));
    while (i < s.len && (ascii_is_letter(s.s[i]) || ascii_is_digit(s.s[i]) || s.s[i] == '.' ||
                         s.s[i] == '-' || s.s[i] == '_'))
        i++;
    return i > 0 && is_port(str_from_byte(s, i));
}

/* Ports where a request is a command: Docker, debuggers, cluster nodes, etcd. */
static bool is_control_port(struct str authority)
{
    static const char *const ports[] = {":2375", ":2376", ":2377",  ":9229",  ":9222",
                                        ":5678", ":6443", ":10250", ":10255", ":2379"};
    for (size_t i = 0; i < COUNT(ports); i++)
        if (str_ends(authority, str_from(ports[i])))
            return true;
    return false;
}

static size_t authority_end(struct str s)
{
    size_t i = 0;

    while (i < s.len && s.s[i] != '/' && s.s[i] != '?' && s.s[i] != '#')
        i++;
    return i;
}

/* ---- filters ---- */

static size_t name_end(struct str s, size_t from)
{
    while (from < s.len &&
           (ascii_is_letter(s.s[from]) || ascii_is_digit(s.s[from]) || strchr(".-_", s.s[from])))
        from++;
    return from;
}

/* Unknown, or a spelling that we do not read. */
static bool is_odd(char c)
{
    return c < ' ' || c > '~' || c == '\\';
}

/* Letters and a dot: a name, not a number. */
static bool is_in_domain(struct str name)
{
    bool letters = false;

    for (size_t i = 0; i < name.len; i++)
        letters |= ascii_is_letter(name.s[i]);
    return letters && str_has(name, '.');
}

/* ss dst HOST, tcpdump -r FILE host HOST: the name is resolved, and the lookup reveals it to the
 * server of its domain. A name without a dot stays with the local resolver. */
void read_filter(struct reading *r, struct piece p)
{
    for (size_t at = 0; at < p.text.len;) {
        size_t end = name_end(p.text, at);
        struct piece name = p;
        name.text = str_slice(p.text, at, end);
        if (is_in_domain(name.text))
            apply_role(r, STR("N"), name);
        else if (end < p.text.len && is_odd(p.text.s[end]))
            r->out->effects |= EFFECT_NETWORK;
        at = end + 1;
    }
}

/* lsof -i TCP@HOST:PORT; recorded as a file too where it could be one. */
void read_peer(struct reading *r, struct piece p)
{
    struct piece host = p;

    str_cut(p.text, ':', &host.text, &(struct str){0});
    if (str_has(host.text, '@') || str_has(host.text, WORD_UNKNOWN))
        read_filter(r, host);
    if (p.operand)
        apply_role(r, STR("R"), p);
}

/* ---- URLs ---- */

/* A URL as curl and wget take it. file: reads, gopher: and dict: talk to any server; without a
 * scheme it is http. */
void read_url(struct reading *r, struct piece p)
{
    struct str text = p.text;

    if (text.len >= 7 && str_eq_nocase(str_slice(text, 0, 7), STR("http://")))
        text = str_from_byte(text, 7);
    else if (text.len >= 8 && str_eq_nocase(str_slice(text, 0, 8), STR("https://")))
        text = str_from_byte(text, 8);
    struct str authority = str_slice(text, 0, authority_end(text));
    if (!is_plain_authority(authority) || is_control_port(authority))
        doubt(r, p.word);
    apply_role(r, STR("N"), p);
}

/* A method that only requests and sends no body. */
void read_method(struct reading *r, struct piece p)
{
    if (!p.known || !(str_is(p.text, "GET") || str_is(p.text, "HEAD") || str_is(p.text, "OPTIONS")))
        r->out->effects |= EFFECT_SEND;
}

static void read_part(struct reading *r, struct piece p, size_t from)
{
    p.text = str_from_byte(p.text, from);
    p.operand = false;
    add_path(r, p, PROGRAM_READS, false);
}

static bool begins_unknown(struct piece p)
{
    return !p.known && (!p.text.len || p.text.s[0] == WORD_UNKNOWN);
}

/* curl -d, -H: text, or @FILE. */
void read_at(struct reading *r, struct piece p)
{
    if (begins_unknown(p))
        doubt(r, p.word);
    else if (p.text.len && p.text.s[0] == '@')
        read_part(r, p, 1);
}

/* curl --data-urlencode: text, name=text, @FILE or name@FILE. */
void read_atname(struct reading *r, struct piece p)
{
    struct str name, value;

    str_cut(p.text, '=', &name, &value);
    if (str_has(name, WORD_UNKNOWN))
        doubt(r, p.word);
    else if (str_has(name, '@'))
        read_part(r, p, str_index(name, '@') + 1);
}

/* curl -F: name=text, name=@FILE, name=<FILE; what follows a semicolon may name more files. */
void read_form(struct reading *r, struct piece p)
{
    size_t at = str_index(p.text, '=');
    struct str value = str_from_byte(p.text, at == STR_NONE ? 0 : at + 1), file, more;

    if (at == STR_NONE || !value.len)
        return;
    bool names_file = value.s[0] == '@' || value.s[0] == '<';
    str_cut(value, ';', &file, &more);
    if (value.s[0] == WORD_UNKNOWN || str_contains_nocase(more, STR("headers")) ||
        (names_file && (str_has(file, '"') || str_has(file, ','))))
        doubt(r, p.word);
    if (names_file) {
        p.text = str_from_byte(file, 1);
        read_part(r, p, 0);
    }
}

/* curl -w: a format, or @FILE with one; %output{FILE} writes. */
void read_writeout(struct reading *r, struct piece p)
{
    if (!p.known || str_contains(p.text, STR("%output")))
        doubt(r, p.word);
    read_at(r, p);
}

/* sysctl: name reads, name=value sets. */
void read_setting(struct reading *r, struct piece p)
{
    if (!p.known || str_has(p.text, '='))
        r->out->effects |= EFFECT_SYSTEM;
}

/* kubectl -o: json, yaml, jsonpath=..., and go-template-file=FILE, which prints the file if it is
 * not a template. */
void read_output(struct reading *r, struct piece p)
{
    struct str format, rest;

    str_cut(p.text, '=', &format, &rest);
    if (str_has(format, WORD_UNKNOWN) || str_contains_nocase(format, STR("file")))
        doubt(r, p.word);
}

/* kubectl get: kinds and names, "pods,secrets" or "secret/x". */
void read_kind(struct reading *r, struct piece p)
{
    struct str rest = p.text, kind, tail;

    if (!p.known)
        doubt(r, p.word);
    for (bool more = true; more; rest = tail) {
        more = str_cut(rest, ',', &kind, &tail);
        if (kind.len >= 6 && str_eq_nocase(str_slice(kind, 0, 6), STR("secret")))
            r->out->effects |= EFFECT_SECRETS;
    }
}

static bool follows(struct str s, size_t at, struct str what)
{
    return str_starts(str_from_byte(s, at), what);
}

/* Does the template reach .Config of the container, which contains its environment? .HostConfig and
 * a few fields are not part of it. */
static bool shows_config(struct str t, size_t at)
{
    static const char *const plain[] = {".Image", ".Labels", ".Hostname", ".ExposedPorts",
                                        ".Healthcheck"};

    if (!follows(t, at, STR("Config")) || (at >= 4 && follows(t, at - 4, STR("Host"))))
        return false;
    for (size_t i = 0; i < COUNT(plain); i++)
        if (follows(t, at + 6, str_from(plain[i])))
            return false;
    return true;
}

/* docker inspect -f: a Go template. "." and "$" alone are the whole object. */
void read_inspect(struct reading *r, struct piece p)
{
    struct str t = p.text;
    bool whole = !p.known || !str_has(t, '{');

    for (size_t i = 0; i < t.len && !whole; i++) {
        char next = i + 1 < t.len ? t.s[i + 1] : '}';
        whole = shows_config(t, i) || follows(t, i, STR("Env")) ||
                (t.s[i] == '$' && !ascii_is_letter(next)) ||
                (t.s[i] == '.' && (next == '}' || next == ' ' || next == '|' || next == ')'));
    }
    if (whole)
        r->out->effects |= EFFECT_SECRETS;
}

static bool is_number(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_digit(text.s[i]))
            return false;
    return true;
}

/* PORT, HOST or HOST:PORT of a debugger. Whoever reaches it can run code; without a host it is this
 * machine alone. */
void read_listen(struct reading *r, struct piece p)
{
    if (!p.known || !is_number(p.text))
        apply_role(r, STR("N"), p);
}
