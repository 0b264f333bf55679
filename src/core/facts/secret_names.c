#include "facts/secret_names.h"

#include "base/ascii.h"
#include "base/list.h"

/* How the names of private keys end. The public ones have another ending. */
static const struct str key_ends[] = {
    STR("_rsa"),     STR("_dsa"),   STR("_ecdsa"),  STR("_ed25519"),    STR(".agekey"),
    STR(".asc.key"), STR(".jceks"), STR(".keytab"), STR(".kubeconfig"), STR(".ovpn")};

/* Words that say what is in a file, alone or among others: "api-token", "ACCESS_TOKEN.txt". */
static const struct str words[] = {
    STR("token"), STR("secret"),   STR("secrets"),   STR("credential"), STR("credentials"),
    STR("creds"), STR("password"), STR("passwords"), STR("apikey"),     STR("passphrase")};

/* What data and settings end in. Other names, those of sources and texts above all, say what they
 * are about, not what they hold. A name without an ending is data. */
static const struct str data_ends[] = {STR("bak"), STR("cfg"),   STR("conf"),       STR("csv"),
                                       STR("dat"), STR("env"),   STR("ini"),        STR("json"),
                                       STR("old"), STR("plist"), STR("properties"), STR("toml"),
                                       STR("txt"), STR("xml"),   STR("yaml"),       STR("yml")};

/* Such a word among these is about a kind of text or a shape, or a list of names. */
static const struct str other_words[] = {
    STR("design"), STR("special"),  STR("added"), STR("example"), STR("sample"),
    STR("schema"), STR("template"), STR("dist"),  STR("test"),    STR("package"),
    STR("types"),  STR("index"),    STR("map"),   STR("count"),   STR("public"),
    STR("pub"),    STR("tsconfig"), STR("mock"),  STR("fixture")};

/* Most names are told apart by their length and first letter. */
static bool is_one_of(struct str word, const struct str *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (word.len == list[i].len && ascii_lower(word.s[0]) == list[i].s[0] &&
            str_eq_nocase(word, list[i]))
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

static bool has_word(struct str stem, const struct str *list, size_t count)
{
    for (struct str word = next_word(&stem); word.len; word = next_word(&stem))
        if (is_one_of(word, list, count))
            return true;
    return false;
}

static bool says_secret(struct str stem)
{
    return has_word(stem, words, COUNT(words)) && !has_word(stem, other_words, COUNT(other_words));
}

static bool has_key_end(struct str name)
{
    for (size_t i = 0; i < COUNT(key_ends); i++) {
        struct str end = key_ends[i];
        if (name.len > end.len && name.s[name.len - 1] == end.s[end.len - 1] && str_ends(name, end))
            return true;
    }
    return false;
}

bool secret_name_is(struct str name)
{
    size_t dot = str_last_index(name, '.');

    if (has_key_end(name))
        return true;
    if (dot == STR_NONE || dot == 0)
        return says_secret(name);
    return is_one_of(str_from_byte(name, dot + 1), data_ends, COUNT(data_ends)) &&
           says_secret(str_slice(name, 0, dot));
}
