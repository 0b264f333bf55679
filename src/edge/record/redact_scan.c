/* redact_scan.c - secrets in a text of any kind, from left to right, reading each byte a bounded
 * number of times. */
#include "base/ascii.h"
#include "record/redact_parts.h"

#define BLANKS_MAX   8   /* between a key, its sign and its value */
#define NAME_GAP_MAX 16  /* between a name and the word "value" */
#define TAG_MAX      256 /* bytes of a tag */

static bool is_quote(char c)
{
    return c == '"' || c == '\'';
}

static bool is_key_byte(char c)
{
    return redact_in_charset(CHARS_DOTTED, c);
}

static char byte_at(struct str s, size_t i)
{
    return i < s.len ? s.s[i] : '\0';
}

/* ---- key blocks ---- */

/* -----BEGIN ... PRIVATE KEY-----: removes everything up to the end line, or without one what may
 * belong to the block. Returns where to continue. */
static size_t key_block(const struct piece *p, size_t at)
{
    static const struct str begin = STR("-----BEGIN "), end = STR("-----END ");
    struct str rest = str_from_byte(p->text, at), head = str_slice(rest, begin.len, 80);

    if (!str_starts(rest, begin) || !str_contains(head, STR("PRIVATE KEY")))
        return at;
    const char *dashes = memmem(head.s, head.len, "-----", 5);
    if (!dashes)
        return at;
    size_t from = at + (size_t)(dashes - rest.s) + 5, to = from;
    const char *found =
        from < p->text.len ? memmem(p->text.s + from, p->text.len - from, end.s, end.len) : NULL;
    if (found)
        to = (size_t)(found - p->text.s);
    else
        while (to < p->text.len && (redact_in_charset(CHARS_BASE64, p->text.s[to]) ||
                                    strchr("\\ \r\n\t:,", p->text.s[to])))
            to++;
    piece_mark(p, from, to);
    return to > at ? to : at;
}

/* ---- URLs ---- */

/* After "://": the part before the @ of the host. A name alone is not a secret, unless it is long.
 */
static size_t user_info(const struct piece *p, size_t at)
{
    struct str text = p->text;
    size_t colon = STR_NONE, sign = STR_NONE, i = at;

    for (; i < text.len && !strchr("/?# \t\n\"'<>|;`\\", text.s[i]); i++) {
        if (text.s[i] == ':' && colon == STR_NONE)
            colon = i;
        else if (text.s[i] == '@')
            sign = i;
    }
    if (sign == STR_NONE)
        return at;
    bool pair = colon != STR_NONE && colon < sign;
    if (pair)
        piece_mark(p, colon + 1, sign);
    else if (sign - at >= 16)
        piece_mark(p, at, sign);
    return sign;
}

/* ---- keys and their values ---- */

struct value_span {
    size_t from, to;
    bool quoted;
};

/* A comma ends a value if another key follows it: --set a.password=x,replicas=2 */
static bool next_key(struct str text, size_t at)
{
    size_t i = at + 1;

    while (i < text.len && i - at <= REDACT_KEY_MAX && is_key_byte(text.s[i]))
        i++;
    return i > at + 1 && byte_at(text, i) == '=';
}

static bool ends_value(const struct piece *p, size_t i)
{
    char c = p->text.s[i];

    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || is_quote(c) || c == '&' || c == ';' ||
        c == '`')
        return true;
    if (p->dollar && (c == '$' || c == '|' || c == '<' || c == '>' || c == ')'))
        return true;
    return (c == ',' && (next_key(p->text, i) || strchr(" \n", byte_at(p->text, i + 1)))) ||
           c == '}';
}

static struct value_span bare_value(const struct piece *p, struct charset_run *bare, size_t at)
{
    if (at < bare->start || at >= bare->end) {
        bare->start = bare->end = at;
        while (bare->end < p->text.len && !ends_value(p, bare->end))
            bare->end++;
    }
    return (struct value_span){at, bare->end, false};
}

/* Up to the same quote, with the same backslashes before it. */
static struct value_span quoted_value(const struct piece *p, size_t at, size_t slashes)
{
    char quote = p->text.s[at + slashes];
    size_t from = at + slashes + 1, to = from;

    while (to < p->text.len && p->text.s[to] != quote &&
           !(p->dollar && quote == '"' && p->text.s[to] == '$')) {
        to += p->text.s[to] == '\\' && !slashes ? 2 : 1; /* an escaped quote does not end it */
    }
    if (to > p->text.len)
        to = p->text.len;
    if (slashes && to > from && p->text.s[to - 1] == '\\')
        to--;
    return (struct value_span){from, to, true};
}

static struct value_span value_behind(const struct piece *p, struct charset_run *bare, size_t at)
{
    size_t slashes = byte_at(p->text, at) == '\\' ? 1 : 0;

    if (is_quote(byte_at(p->text, at + slashes)))
        return quoted_value(p, at, slashes);
    return bare_value(p, bare, at);
}

static size_t before_blanks(struct str text, size_t at)
{
    for (size_t n = 0; at > 0 && ascii_is_blank(text.s[at - 1]) && n < BLANKS_MAX; n++)
        at--;
    return at;
}

/* The key that ends before `at`, without its quotes: key, "key", environ["key"]. */
static struct str key_before(struct str text, size_t at, bool *quoted)
{
    size_t to = before_blanks(text, at);

    if (to > 0 && text.s[to - 1] == ']')
        to = before_blanks(text, to - 1);
    *quoted = to > 0 && is_quote(text.s[to - 1]);
    to -= *quoted;
    if (*quoted && to > 0 && text.s[to - 1] == '\\')
        to--;
    size_t from = to;
    while (from > 0 && to - from <= REDACT_KEY_MAX && is_key_byte(text.s[from - 1]))
        from--;
    return str_slice(text, from, to);
}

static bool has_digit_and_letter(struct str v)
{
    bool digit = false, letter = false;

    for (size_t i = 0; i < v.len; i++) {
        digit |= ascii_is_digit(v.s[i]);
        letter |= ascii_is_letter(v.s[i]);
    }
    return digit && letter;
}

/* More than a word of prose: correct-horse, Sesame1, p@ss. */
static bool is_odd(struct str v)
{
    if (v.len < 6)
        return false;
    for (size_t i = 1; i < v.len; i++)
        if (v.s[i] < 'a' || v.s[i] > 'z')
            return true;
    return false;
}

/* In prose a colon follows many words: "token: handle expiry". A lone word on its line is a value
 * in a file. */
static bool is_value_in_prose(const struct piece *p, struct str key, const struct value_span *v)
{
    struct str value = str_slice(p->text, v->from, v->to);
    size_t start = (size_t)(key.s - p->text.s), i = start;

    if (has_digit_and_letter(value) && value.len >= 6 && !str_has(value, '('))
        return true;
    while (i > 0 && ascii_is_blank(p->text.s[i - 1]))
        i--;
    bool own_line = i == 0 || p->text.s[i - 1] == '\n';
    bool last = v->to == p->text.len || p->text.s[v->to] == '\n' || p->text.s[v->to] == '\r';
    return own_line && last && (start > 0 || is_odd(value)) && !str_has(value, '(');
}

static bool is_authorization(struct str key)
{
    return str_eq_nocase(key, STR("authorization")) ||
           str_eq_nocase(key, STR("proxy-authorization"));
}

static bool is_cookie(struct str key)
{
    return str_eq_nocase(key, STR("cookie")) || str_eq_nocase(key, STR("set-cookie"));
}

static size_t line_end(const struct piece *p, size_t at)
{
    while (at < p->text.len && !strchr(p->dollar ? "\n\r\"'$`" : "\n\r\"'", p->text.s[at]))
        at++;
    return at;
}

/* "Bearer abc", "Basic abc", "token abc", "AWS4-HMAC-SHA256 Credential=..., Signature=...": the
 * scheme stays. */
static size_t mark_credentials(const struct piece *p, size_t at)
{
    size_t end = line_end(p, at), from = at;

    while (from < end && !ascii_is_blank(p->text.s[from]))
        from++;
    while (from < end && ascii_is_blank(p->text.s[from]))
        from++;
    bool scheme = from < end || (from > at && ascii_is_blank(p->text.s[from - 1]));
    piece_mark(p, scheme ? from : at, end);
    return end;
}

static size_t behind_blanks(struct str text, size_t at)
{
    size_t n = 0;

    while (at < text.len && ascii_is_blank(text.s[at]) && n++ < BLANKS_MAX)
        at++;
    return at;
}

/* sig=..., X-Amz-Signature=...: what signs a URL opens it. */
static bool is_signature(struct str key, size_t len)
{
    return len >= 16 &&
           (str_eq_nocase(key, STR("sig")) || str_eq_nocase(key, STR("x-amz-signature")) ||
            str_eq_nocase(key, STR("x-amz-credential")) || str_eq_nocase(key, STR("_auth")) ||
            str_eq_nocase(key, STR("x-goog-signature")));
}

/* The value of a key that ends before `at`. Returns where to continue: after the value if it was
 * removed. */
static size_t secret_value(const struct piece *p, struct charset_run *bare, struct str key,
                           size_t at, size_t from)
{
    bool colon = p->text.s[at] == ':';
    struct value_span v = value_behind(p, bare, from);
    bool loose = !v.quoted && (colon || from > at + 1); /* prose, or a file */

    if (redact_value_is_plain(str_slice(p->text, v.from, v.to), true) ||
        (loose && !is_value_in_prose(p, key, &v)))
        return at + 1;
    piece_mark(p, v.from, v.to);
    return v.to;
}

/* The name before a key "value": name="DB_PASSWORD" value="x", and in YAML and JSON likewise. */
static bool follows_secret_name(struct str text, struct str key)
{
    size_t at = (size_t)(key.s - text.s), n = 0;
    bool quoted;

    if (!str_eq_nocase(key, STR("value")))
        return false;
    while (at > 0 && n++ < NAME_GAP_MAX && strchr(" \t\r\n,;-\"'", text.s[at - 1]))
        at--;
    return redact_key_is_secret(key_before(text, at, &quoted));
}

/* Uid=sa;Pwd=x: a connection string. Alone it is a directory. */
static bool is_pwd_of_connection(struct str text, struct str key)
{
    return str_eq_nocase(key, STR("pwd")) && key.s > text.s && strchr(";&", key.s[-1]);
}

static bool is_secret_key(struct str text, struct str key, size_t at)
{
    return redact_key_is_secret(key) || is_signature(key, text.len - at) ||
           follows_secret_name(text, key) || is_pwd_of_connection(text, key);
}

/* At a = or a colon. */
static size_t key_and_value(const struct piece *p, struct charset_run *bare, size_t at)
{
    struct str text = p->text;
    bool key_quoted, colon = text.s[at] == ':';
    struct str key = key_before(text, at, &key_quoted);
    char next = byte_at(text, at + 1);
    size_t from = behind_blanks(text, at + 1);

    if (!key.len || next == '=' || next == text.s[at])
        return at + 1 + (next == text.s[at]);
    if (p->shell && (key_quoted || is_quote(byte_at(text, from)) || (colon && strchr("-+?", next))))
        return at + 1;
    if (colon && is_authorization(key))
        return mark_credentials(p, from + is_quote(byte_at(text, from)));
    if (colon && is_cookie(key)) {
        size_t end = line_end(p, from);
        piece_mark(p, from, end);
        return end;
    }
    if (!is_secret_key(text, key, at))
        return at + 1;
    return secret_value(p, bare, key, at, from);
}

/* At a comma: setenv("API_KEY", "x"). The first argument of a call, not any list. */
static size_t argument_pair(const struct piece *p, size_t at)
{
    bool quoted;
    struct str key = key_before(p->text, at, &quoted);
    size_t from = behind_blanks(p->text, at + 1), start = (size_t)(key.s - p->text.s);
    size_t slashes = byte_at(p->text, from) == '\\' ? 1 : 0;

    if (p->shell || !quoted || start < 2 || !is_quote(byte_at(p->text, from + slashes)) ||
        !redact_key_is_secret(key))
        return at;
    start -= start > 2 && p->text.s[start - 2] == '\\' ? 2 : 1;
    if (before_blanks(p->text, start) == 0 || p->text.s[before_blanks(p->text, start) - 1] != '(')
        return at;
    struct value_span v = quoted_value(p, from, slashes);
    if (redact_value_is_plain(str_slice(p->text, v.from, v.to), true))
        return at;
    piece_mark(p, v.from, v.to);
    return v.to;
}

/* ---- elements and other texts ---- */

/* A tag that ends here: <ns:password>, <property name="password">; not </password>, not <x/>. */
static bool is_secret_tag(struct str text, size_t end)
{
    size_t start = end;
    bool quoted;

    while (start > 0 && end - start <= TAG_MAX && !strchr("<>\n", text.s[start - 1]))
        start--;
    if (start == 0 || start == end || text.s[start - 1] != '<' || text.s[start] == '/' ||
        text.s[end - 1] == '/')
        return false;
    if (is_quote(text.s[end - 1]) && redact_key_is_secret(key_before(text, end, &quoted)))
        return true;
    size_t to = start;
    while (to < end && (is_key_byte(text.s[to]) || text.s[to] == ':'))
        start = text.s[to++] == ':' ? to : start;
    return redact_key_is_secret(str_slice(text, start, to));
}

/* At a >: <password>x</password>. */
static size_t element(const struct piece *p, size_t at)
{
    size_t from = at + 1, to = from;

    if (p->shell || !is_secret_tag(p->text, at))
        return at;
    while (to < p->text.len && p->text.s[to] != '<' && p->text.s[to] != '\n')
        to++;
    struct str value = str_slice(p->text, from, to);
    if (byte_at(p->text, to) != '<' || redact_value_is_plain(str_trim(value), true))
        return at;
    piece_mark(p, from, to);
    return to;
}

/* At an @: user:password@tcp(host)/db, as drivers of Go write it. */
static size_t driver_password(const struct piece *p, size_t at)
{
    static const struct str nets[] = {STR("@tcp("), STR("@unix("), STR("@(")};
    struct str rest = str_from_byte(p->text, at);
    size_t from = at;
    bool net = false;

    for (size_t i = 0; i < COUNT(nets); i++)
        net |= str_starts(rest, nets[i]);
    while (net && from > 0 && at - from <= REDACT_KEY_MAX &&
           !strchr(": \t\n\"'", p->text.s[from - 1]))
        from--;
    if (!net || from == 0 || p->text.s[from - 1] != ':' || from == at)
        return at;
    piece_mark(p, from, at);
    return at + 1;
}

/* ---- words ---- */

static bool is_word(struct str text, size_t at, const char *word)
{
    struct str w = str_from(word);

    return str_eq_nocase(str_slice(text, at, at + w.len), w) &&
           ascii_is_blank(byte_at(text, at + w.len));
}

/* "Bearer eyJ...", anywhere. */
static size_t bearer(const struct piece *p, size_t at)
{
    if (!is_word(p->text, at, "bearer"))
        return at;
    size_t from = behind_blanks(p->text, at + 6), to = from;
    while (to < p->text.len && redact_in_charset(CHARS_BASE64, p->text.s[to]))
        to++;
    if (to - from < 12)
        return at;
    piece_mark(p, from, to);
    return to;
}

/* PASSWORD '...' and IDENTIFIED BY '...', as in SQL. */
static size_t sql_password(const struct piece *p, size_t at)
{
    static const char *const openings[] = {"password", "identified by"};

    for (size_t i = 0; i < COUNT(openings); i++) {
        size_t from = behind_blanks(p->text, at + strlen(openings[i]));
        if (!is_word(p->text, at, openings[i]) || byte_at(p->text, from) != '\'' || p->shell)
            continue;
        struct value_span v = quoted_value(p, from, 0);
        piece_mark(p, v.from, v.to);
        return v.to;
    }
    return at;
}

/* "the password is x": only what does not look like prose. */
static size_t told_password(const struct piece *p, size_t at)
{
    bool quoted;
    size_t len = is_word(p->text, at, "is") ? 2 : is_word(p->text, at, "was") ? 3 : 0;
    size_t from = behind_blanks(p->text, at + len), to;

    if (!len || at == 0 || !redact_key_is_secret(key_before(p->text, at, &quoted)))
        return at;
    if (is_quote(byte_at(p->text, from)) && !p->shell) {
        struct value_span v = quoted_value(p, from, 0);
        from = v.from;
        to = v.to;
    } else {
        for (to = from; to < p->text.len && !ends_value(p, to);)
            to++;
        while (to > from && strchr(".,:!?)", p->text.s[to - 1]))
            to--;
    }
    struct str value = str_slice(p->text, from, to);
    if (!is_odd(value) || redact_value_is_plain(value, true))
        return at;
    piece_mark(p, from, to);
    return to;
}

/* send "secret\r" of expect: what is typed for a person ends with a return. */
static size_t typed(const struct piece *p, size_t at)
{
    size_t from = behind_blanks(p->text, at + 4);

    if (p->shell || !is_word(p->text, at, "send"))
        return at;
    if (str_starts(str_from_byte(p->text, from), STR("-- ")))
        from = behind_blanks(p->text, from + 2);
    size_t slashes = byte_at(p->text, from) == '\\' ? 1 : 0;
    if (byte_at(p->text, from + slashes) != '"')
        return at;
    struct value_span v = quoted_value(p, from, slashes);
    size_t to = v.to;
    while (to >= v.from + 2 && p->text.s[to - 2] == '\\' && strchr("rn", p->text.s[to - 1])) {
        to -= 2;
        to -= to > v.from && p->text.s[to - 1] == '\\'; /* "\\r" in a text inside a text */
    }
    if (to == v.to || to == v.from)
        return at;
    piece_mark(p, v.from, to);
    return v.to;
}

/* https://hooks.slack.com/services/T000/B000/xyz: the path itself is the secret. */
static size_t secret_path(const struct piece *p, size_t at)
{
    static const struct str paths[] = {
        STR("hooks.slack.com/services/"), STR("hooks.slack.com/workflows/"),
        STR("discord.com/api/webhooks/"), STR("discordapp.com/api/webhooks/"),
        STR("webhook.office.com/"),       STR("api.telegram.org/bot")};

    for (size_t i = 0; i < COUNT(paths); i++)
        if (str_starts(str_from_byte(p->text, at), paths[i])) {
            size_t from = at + paths[i].len, to = from;
            while (to < p->text.len &&
                   (redact_in_charset(CHARS_BASE64, p->text.s[to]) || p->text.s[to] == ':'))
                to++;
            piece_mark(p, from, to);
            return to;
        }
    return at;
}

static bool is_run_byte(char c)
{
    return redact_in_charset(CHARS_WORD, c) || c == '+';
}

static bool is_hash_name(struct str text, size_t at)
{
    return str_starts(str_from_byte(text, at), STR("sha")) && ascii_is_digit(byte_at(text, at + 3));
}

/* A random-looking word. One between slashes or dots is part of a path or a host; forty bytes with
 * slashes in them are the second half of an access key. */
static size_t random_word(const struct piece *p, size_t at)
{
    struct str text = p->text;
    size_t to = at, wide;
    char before = at > 0 ? text.s[at - 1] : ' ';

    while (to < text.len && is_run_byte(text.s[to]) &&
           !(text.s[to] == '-' && byte_at(text, to + 1) == '-'))
        to++;
    for (wide = to;
         wide < text.len && wide - at <= 40 && (is_run_byte(text.s[wide]) || text.s[wide] == '/');
         wide++)
        ;
    if (wide - at < REDACT_RANDOM_LEAST) /* as nearly all words */
        return to;
    bool inside = before == '/' || before == '.' || before == '@' || before == '~';
    if (wide - at == 40 && wide > to && !inside && redact_is_random(str_slice(text, at, wide)))
        to = wide;
    else if (inside || byte_at(text, to) == '/' || byte_at(text, to) == '.' ||
             is_hash_name(text, at))
        return to;
    size_t end = to;
    while (end < text.len && end - to < 2 && text.s[end] == '=')
        end++; /* base64 may end so */
    if (!redact_is_random(str_slice(text, at, to)))
        return to;
    piece_mark(p, at, end);
    return end;
}

/* Secrets that may begin where a word begins. Returns `at` if there is none. */
static size_t word_start(const struct piece *p, struct charset_runs *runs, size_t at)
{
    size_t len = redact_shape(runs, at);

    if (len) {
        piece_mark(p, at, at + len);
        return at + len;
    }
    switch (p->text.s[at]) { /* what these begin with */
    case 'B':
    case 'b':
        return bearer(p, at);
    case 'P':
    case 'p':
    case 'I':
    case 'i':
        len = sql_password(p, at);
        return len == at ? told_password(p, at) : len;
    case 's':
        return typed(p, at);
    case 'w':
        len = secret_path(p, at);
        return len == at ? told_password(p, at) : len;
    case 'h':
    case 'd':
    case 'a':
        return secret_path(p, at);
    default:
        return at;
    }
}

/* Nothing begins inside a word. */
static size_t behind_alnum(struct str text, size_t at, size_t until)
{
    while (at < until && redact_in_charset(CHARS_ALNUM, text.s[at]))
        at++;
    return at;
}

void redact_scan(const struct piece *p)
{
    struct charset_runs runs = {.text = p->text};
    struct charset_run bare = {
        0}; /* the bare value that was scanned last: keys inside it do not scan it again */
    size_t random_until = 0;

    for (size_t i = 0; i < p->text.len;) {
        char c = p->text.s[i];
        size_t next = i;
        if (c == '-')
            next = key_block(p, i);
        else if (c == ':' && str_starts(str_from_byte(p->text, i), STR("://")))
            next = user_info(p, i + 3);
        else if (c == ':' || c == '=')
            next = key_and_value(p, &bare, i);
        else if (c == '>')
            next = element(p, i);
        else if (c == ',')
            next = argument_pair(p, i);
        else if (c == '@')
            next = driver_password(p, i);
        else if (redact_in_charset(CHARS_ALNUM, c) &&
                 (i == 0 || !redact_in_charset(CHARS_ALNUM, p->text.s[i - 1])))
            next = word_start(p, &runs, i);
        if (next == i && i >= random_until && c != '-' && is_run_byte(c))
            random_until = random_word(p, i);
        i = next > i ? next : i + 1;
        if (i < random_until && redact_in_charset(CHARS_ALNUM, p->text.s[i - 1]))
            i = behind_alnum(p->text, i, random_until);
    }
}

void redact_header(const struct piece *p)
{
    size_t colon = str_index(p->text, ':');

    if (colon == STR_NONE)
        return;
    struct str key = str_trim(str_slice(p->text, 0, colon));
    size_t from = behind_blanks(p->text, colon + 1);
    if (is_authorization(key))
        mark_credentials(p, from);
    else if (is_cookie(key) || (redact_key_is_secret(key) &&
                                !redact_value_is_plain(str_from_byte(p->text, from), false)))
        piece_mark(p, from, p->text.len);
}
