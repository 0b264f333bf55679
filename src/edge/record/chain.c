#include "record/chain.h"

#include <stdio.h>

#include "base/ascii.h"

#define N_KEY    "{\"n\":"
#define PREV_KEY ",\"prev\":\""
#define AT_KEY   "\",\"at\":\""
#define HASH_KEY ",\"hash\":\""
#define HASH_LEN (SHA256_HEX - 1)

static void hash_of(struct str text, char out[SHA256_HEX])
{
    struct sha256 h;
    uint8_t hash[SHA256_BYTES];

    sha256_init(&h);
    sha256_add(&h, text);
    sha256_end(&h, hash);
    sha256_hex(hash, out);
}

static char *put(char *at, struct str text)
{
    memcpy(at, text.s, text.len);
    return at + text.len;
}

size_t chain_write(struct chain_head *head, int64_t now, struct str body, char *out)
{
    char shown[STAMP_SIZE], digits[STR_NUMBER_MAX], *at = out;

    stamp_print(now, shown);
    bool back = head->n && strcmp(shown, head->at) < 0;
    if (!back)
        memcpy(head->at, shown, sizeof(shown));
    at = put(at, STR(N_KEY));
    at = put(at, str_number(head->n + 1, digits));
    at = put(at, STR(PREV_KEY));
    at = put(at, head->n ? (struct str){head->hash, HASH_LEN} : STR(CHAIN_START));
    at = put(at, STR(AT_KEY));
    at = put(at, (struct str){head->at, STAMP_LENGTH});
    if (back) {
        at = put(at, STR("\",\"clock\":\""));
        at = put(at, (struct str){shown, STAMP_LENGTH});
    }
    at = put(at, STR("\","));
    at = put(at, body);
    hash_of((struct str){out, (size_t)(at - out)}, head->hash);
    at = put(at, STR(HASH_KEY));
    at = put(at, (struct str){head->hash, HASH_LEN});
    at = put(at, STR("\"}\n"));
    head->n++;
    return (size_t)(at - out);
}

/* ---- reading ---- */

static bool take(struct str *rest, const char *text)
{
    struct str t = str_from(text);

    if (!str_starts(*rest, t))
        return false;
    *rest = str_from_byte(*rest, t.len);
    return true;
}

static bool take_number(struct str *rest, uint64_t *out)
{
    size_t i = 0;

    *out = 0;
    if (!rest->len || rest->s[0] == '0')
        return false; /* they begin at 1, and one number has one spelling */
    for (; i < rest->len && ascii_is_digit(rest->s[i]); i++) {
        uint64_t digit = (uint64_t)(rest->s[i] - '0');
        if (*out > (UINT64_MAX - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    *rest = str_from_byte(*rest, i);
    return i > 0;
}

static bool take_hash(struct str *rest, struct str *out)
{
    *out = str_slice(*rest, 0, HASH_LEN);
    if (out->len != HASH_LEN)
        return false;
    for (size_t i = 0; i < HASH_LEN; i++)
        if (!ascii_is_digit(out->s[i]) && !(out->s[i] >= 'a' && out->s[i] <= 'f'))
            return false;
    *rest = str_from_byte(*rest, HASH_LEN);
    return true;
}

const char *chain_read(struct str line, struct chain_link *out)
{
    struct str rest = line, tail;
    char hash[SHA256_HEX];
    static const size_t tail_len = sizeof(HASH_KEY) - 1 + HASH_LEN + 2;

    *out = (struct chain_link){0};
    if (line.len > CHAIN_LINE_MAX)
        return "the line is too long";
    if (!take(&rest, N_KEY) || !take_number(&rest, &out->n) || !take(&rest, PREV_KEY) ||
        !take_hash(&rest, &out->prev) || !take(&rest, AT_KEY))
        return "the line is not a record";
    out->at = str_slice(rest, 0, STAMP_LENGTH);
    rest = str_from_byte(rest, STAMP_LENGTH);
    if (!stamp_is(out->at) || !take(&rest, "\",") || rest.len < tail_len)
        return "the line is not a record";
    out->body = str_slice(rest, 0, rest.len - tail_len);
    tail = str_from_byte(rest, rest.len - tail_len);
    if (!take(&tail, HASH_KEY) || !take_hash(&tail, &out->hash) || !str_is(tail, "\"}"))
        return "the line is not a record";
    hash_of(str_slice(line, 0, line.len - tail_len), hash);
    return str_is(out->hash, hash) ? NULL : "its content does not match its hash";
}

const char *chain_follow(const struct chain_head *head, const struct chain_link *link)
{
    if (link->n != head->n + 1)
        return link->n > head->n ? "records are missing before it" : "it comes after a later one";
    if (!str_is(link->prev, head->n ? head->hash : CHAIN_START))
        return "it does not follow the record before it";
    if (str_compare(link->at, str_from(head->at)) < 0)
        return "its time is before that of the record before it";
    return NULL;
}

void chain_take(struct chain_head *head, const struct chain_link *link)
{
    head->n = link->n;
    memcpy(head->hash, link->hash.s, HASH_LEN);
    head->hash[HASH_LEN] = '\0';
    memcpy(head->at, link->at.s, STAMP_LENGTH);
    head->at[STAMP_LENGTH] = '\0';
}

/* The bytes of a string that begins here, with both quotes; 0: it does not end. */
static size_t string_length(struct str s)
{
    for (size_t i = 1; i < s.len; i++) {
        if (s.s[i] == '\\')
            i++;
        else if (s.s[i] == '"')
            return i + 1;
    }
    return 0;
}

/* Moves past a value, and the comma after it. */
static bool skip_value(struct str *rest)
{
    size_t depth = 0;

    for (size_t i = 0, len; i < rest->len; i += len) {
        const char c = rest->s[i];
        len = c == '"' ? string_length(str_from_byte(*rest, i)) : 1;
        if (!len)
            return false;
        depth += c == '{' || c == '[';
        depth -= depth && (c == '}' || c == ']');
        if (c == ',' && !depth) {
            *rest = str_from_byte(*rest, i + 1);
            return true;
        }
    }
    return false;
}

/* Of the body itself, and not of an object in it: a worker chooses the members of its input. */
struct str chain_member(struct str body, const char *key)
{
    struct str rest = body;

    while (rest.len && rest.s[0] == '"') {
        const size_t len = string_length(rest);
        const struct str name = len ? str_slice(rest, 1, len - 1) : (struct str){0};
        if (!len || len >= rest.len || rest.s[len] != ':')
            break;
        rest = str_from_byte(rest, len + 1);
        if (str_is(name, key)) {
            const size_t end = rest.len && rest.s[0] == '"' ? string_length(rest) : 0;
            const struct str value = end ? str_slice(rest, 1, end - 1) : (struct str){0};
            return str_has(value, '\\') ? (struct str){0} : value;
        }
        if (!skip_value(&rest))
            break;
    }
    return (struct str){0};
}
