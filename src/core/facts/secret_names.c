#include "facts/secret_names.h"

#include "base/ascii.h"
#include "base/list.h"

/* How the names of private keys end. The public ones have another ending. */
static const char *const key_ends[] = {"_rsa",     "_dsa",   "_ecdsa",  "_ed25519",    ".agekey",
                                       ".asc.key", ".jceks", ".keytab", ".kubeconfig", ".ovpn"};

/* Words that say what is in a file, alone or among others: "api-token", "ACCESS_TOKEN.txt". */
static const char *const words[] = {"token", "secret",   "secrets",   "credential", "credentials",
                                    "creds", "password", "passwords", "apikey",     "passphrase"};

/* What data and settings end in. Other names, those of sources and texts above all, say what they
 * are about, not what they hold. A name without an ending is data. */
static const char *const data_ends[] = {"bak", "cfg",  "conf", "csv",   "dat",        "env",
                                        "ini", "json", "old",  "plist", "properties", "toml",
                                        "txt", "xml",  "yaml", "yml"};

/* Such a word among these is about a kind of text or a shape, or a list of names. */
static const char *const other_words[] = {"design", "special",  "added", "example", "sample",
                                          "schema", "template", "dist",  "test",    "package",
                                          "types",  "index",    "map",   "count",   "public",
                                          "pub",    "tsconfig", "mock",  "fixture"};

static bool is_one_of(struct str word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq_nocase(word, str_from(list[i])))
            return true;
    return false;
}

/* Letters and digits; also where a capital follows a small letter. */
static struct str next_word(struct str *rest)
{
    size_t from = 0, end;

    while (from < rest->len && !ascii_is_alnum(rest->s[from]))
        from++;
    for (end = from; end < rest->len && ascii_is_alnum(rest->s[end]); end++)
        if (end > from && rest->s[end] >= 'A' && rest->s[end] <= 'Z' &&
            !(rest->s[end - 1] >= 'A' && rest->s[end - 1] <= 'Z'))
            break;
    struct str word = str_slice(*rest, from, end);
    *rest = str_from_byte(*rest, end);
    return word;
}

static bool says_secret(struct str stem)
{
    bool found = false;

    for (struct str word = next_word(&stem); word.len; word = next_word(&stem)) {
        if (is_one_of(word, other_words, COUNT(other_words)))
            return false;
        found |= is_one_of(word, words, COUNT(words));
    }
    return found;
}

bool secret_name_is(struct str name)
{
    size_t dot = str_last_index(name, '.');

    for (size_t i = 0; i < COUNT(key_ends); i++)
        if (name.len > strlen(key_ends[i]) && str_ends(name, str_from(key_ends[i])))
            return true;
    if (dot == STR_NONE || dot == 0)
        return says_secret(name);
    return is_one_of(str_from_byte(name, dot + 1), data_ends, COUNT(data_ends)) &&
           says_secret(str_slice(name, 0, dot));
}
