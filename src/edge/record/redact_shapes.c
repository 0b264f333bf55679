/* redact_shapes.c - tokens with a known prefix: a table. */
#include "base/ascii.h"
#include "record/redact_parts.h"
#include "record/redact_rows.h"

#define SHAPE_LEAST                                                                                \
    20 /* bytes of the shortest token that any of these can be; there is no blank in one */

/* The rows are public knowledge: services give their tokens a prefix so that leaked ones can be
 * found. The longest match counts, so the order is only for readers. */
const struct shape redact_shapes[] = {
    {"ABIA", CHARS_UPPER, 16},
    {"ACCA", CHARS_UPPER, 16},
    {"AGE-SECRET-KEY-1", CHARS_UPPER, 40},
    {"AGPA", CHARS_UPPER, 16},
    {"AIDA", CHARS_UPPER, 16},
    {"AIPA", CHARS_UPPER, 16},
    {"AIza", CHARS_WORD, 32},
    {"AKCp", CHARS_ALNUM, 50},
    {"AKIA", CHARS_UPPER, 16},
    {"ANPA", CHARS_UPPER, 16},
    {"ANVA", CHARS_UPPER, 16},
    {"AQVN", CHARS_WORD, 30},
    {"AROA", CHARS_UPPER, 16},
    {"ASIA", CHARS_UPPER, 16},
    {"ATATT3", CHARS_BASE64, 50},
    {"ATBB", CHARS_ALNUM, 24},
    {"ATCTT3", CHARS_BASE64, 50},
    {"ATOA", CHARS_BASE64, 40},
    {"CCIPAT_", CHARS_WORD, 20},
    {"CFPAT-", CHARS_WORD, 30},
    {"EAAA", CHARS_WORD, 50},
    {"EAAC", CHARS_ALNUM, 50},
    {"EZAK", CHARS_ALNUM, 40},
    {"EZTK", CHARS_ALNUM, 40},
    {"FLWSECK", CHARS_WORD, 20},
    {"GOCSPX-", CHARS_WORD, 20},
    {"HRKU-", CHARS_WORD, 30},
    {"LTAI", CHARS_ALNUM, 16},
    {"MIGH", CHARS_BASE64, 60}, /* keys in base64 without their lines around them */
    {"MIIE", CHARS_BASE64, 40},
    {"MIIJ", CHARS_BASE64, 40},
    {"NRAK-", CHARS_ALNUM, 20},
    {"NRII-", CHARS_WORD, 20},
    {"PMAK-", CHARS_WORD, 40},
    {"SG.", CHARS_DOTTED, 50},
    {"SK", CHARS_HEX, 32},
    {"api-", CHARS_HEX, 32},
    {"apify_api_", CHARS_ALNUM, 20},
    {"bkua_", CHARS_ALNUM, 30},
    {"cio", CHARS_ALNUM, 32},
    {"dapi", CHARS_HEX, 32},
    {"dckr_oat_", CHARS_WORD, 20},
    {"dckr_pat_", CHARS_WORD, 20},
    {"ddp_", CHARS_ALNUM, 30},
    {"doo_v1_", CHARS_HEX, 40},
    {"dop_v1_", CHARS_HEX, 40},
    {"dor_v1_", CHARS_HEX, 40},
    {"dp.ct.", CHARS_ALNUM, 30},
    {"dp.pt.", CHARS_ALNUM, 30},
    {"dp.st.", CHARS_DOTTED, 30},
    {"duffel_live_", CHARS_WORD, 30},
    {"duffel_test_", CHARS_WORD, 30},
    {"figd_", CHARS_WORD, 30},
    {"fio-u-", CHARS_WORD, 40},
    {"fm1_", CHARS_BASE64, 40},
    {"fm2_", CHARS_BASE64, 40},
    {"fo1_", CHARS_WORD, 30},
    {"gho_", CHARS_ALNUM, 30},
    {"ghp_", CHARS_ALNUM, 30},
    {"ghr_", CHARS_ALNUM, 30},
    {"ghs_", CHARS_ALNUM, 30},
    {"ghu_", CHARS_ALNUM, 30},
    {"github_pat_", CHARS_WORD, 22},
    {"glagent-", CHARS_WORD, 30},
    {"glc_", CHARS_BASE64, 30},
    {"glcbt-", CHARS_WORD, 16},
    {"gldt-", CHARS_WORD, 16},
    {"glffct-", CHARS_WORD, 16},
    {"glft-", CHARS_WORD, 16},
    {"glimt-", CHARS_WORD, 16},
    {"gloas-", CHARS_WORD, 30},
    {"glpat-", CHARS_WORD, 16},
    {"glptt-", CHARS_WORD, 16},
    {"glrt-", CHARS_WORD, 16},
    {"glsa_", CHARS_WORD, 30},
    {"glsoat-", CHARS_WORD, 16},
    {"gsk_", CHARS_ALNUM, 40},
    {"hf_", CHARS_ALNUM, 30},
    {"hvb.", CHARS_WORD, 50},
    {"hvr.", CHARS_WORD, 50},
    {"hvs.", CHARS_WORD, 20},
    {"key-", CHARS_HEX, 32},
    {"lin_api_", CHARS_ALNUM, 32},
    {"lin_oauth_", CHARS_ALNUM, 32},
    {"lsv2_pt_", CHARS_WORD, 32},
    {"lsv2_sk_", CHARS_WORD, 32},
    {"napi_", CHARS_ALNUM, 40},
    {"nfp_", CHARS_ALNUM, 30},
    {"npm_", CHARS_ALNUM, 30},
    {"ntn_", CHARS_ALNUM, 40},
    {"nvapi-", CHARS_WORD, 40},
    {"ops_eyJ", CHARS_BASE64, 50},
    {"oy2", CHARS_ALNUM, 43},
    {"phx_", CHARS_ALNUM, 30},
    {"pnu_", CHARS_ALNUM, 30},
    {"pplx-", CHARS_ALNUM, 40},
    {"pscale_oauth_", CHARS_DOTTED, 30},
    {"pscale_pw_", CHARS_DOTTED, 30},
    {"pscale_tkn_", CHARS_DOTTED, 30},
    {"pul-", CHARS_HEX, 40},
    {"pypi-", CHARS_WORD, 50},
    {"r8_", CHARS_ALNUM, 30},
    {"rdme_", CHARS_ALNUM, 40},
    {"re_", CHARS_WORD, 30},
    {"rk_live_", CHARS_ALNUM, 16},
    {"rk_test_", CHARS_ALNUM, 16},
    {"rnd_", CHARS_ALNUM, 28},
    {"rubygems_", CHARS_HEX, 40},
    {"sbp_", CHARS_HEX, 40},
    {"secret_", CHARS_ALNUM, 40},
    {"sgp_", CHARS_WORD, 40},
    {"sha256~", CHARS_WORD, 40},
    {"shpat_", CHARS_HEX, 32},
    {"shpca_", CHARS_HEX, 32},
    {"shppa_", CHARS_HEX, 32},
    {"shpss_", CHARS_HEX, 32},
    {"shippo_live_", CHARS_HEX, 40},
    {"sk-", CHARS_WORD, 32},
    {"sk-ant-", CHARS_WORD, 20},
    {"sk-or-", CHARS_WORD, 30},
    {"sk-proj-", CHARS_WORD, 20},
    {"sk-svcacct-", CHARS_WORD, 20},
    {"sk.eyJ", CHARS_DOTTED, 40},
    {"sk_", CHARS_HEX, 40},
    {"sk_live_", CHARS_ALNUM, 16},
    {"sk_test_", CHARS_ALNUM, 16},
    {"sl.", CHARS_WORD, 100},
    {"sntrys_", CHARS_BASE64, 40},
    {"sntryu_", CHARS_HEX, 60},
    {"sq0atp-", CHARS_WORD, 20},
    {"sq0csp-", CHARS_WORD, 30},
    {"sqa_", CHARS_HEX, 40},
    {"sqp_", CHARS_HEX, 40},
    {"squ_", CHARS_HEX, 40},
    {"tfp_", CHARS_WORD, 40},
    {"tk-us-", CHARS_WORD, 40},
    {"tr_dev_", CHARS_ALNUM, 20},
    {"tr_prod_", CHARS_ALNUM, 20},
    {"tskey-", CHARS_WORD, 20},
    {"tvly-", CHARS_WORD, 28},
    {"v1.0-", CHARS_WORD, 140},
    {"vcp_", CHARS_ALNUM, 40},
    {"wdr_", CHARS_WORD, 50}, /* our own */
    {"whsec_", CHARS_BASE64, 24},
    {"xai-", CHARS_ALNUM, 60},
    {"xapp-", CHARS_WORD, 40},
    {"xkeysib-", CHARS_WORD, 60},
    {"xoxa-", CHARS_WORD, 20},
    {"xoxb-", CHARS_WORD, 20},
    {"xoxc-", CHARS_WORD, 20},
    {"xoxd-", CHARS_BASE64, 20},
    {"xoxe-", CHARS_WORD, 20},
    {"xoxe.xox", CHARS_WORD, 40},
    {"xoxo-", CHARS_WORD, 20},
    {"xoxp-", CHARS_WORD, 20},
    {"xoxr-", CHARS_WORD, 20},
    {"xoxs-", CHARS_WORD, 20},
    {"xsmtpsib-", CHARS_WORD, 60},
    {"y0_", CHARS_WORD, 40},
    {"ya29.", CHARS_WORD, 30},
};

const size_t redact_shape_count = COUNT(redact_shapes);

#define IN(set) (1 << CHARS_##set)
#define ALNUM   (IN(ALNUM) | IN(WORD) | IN(DOTTED) | IN(BASE64) | IN(TOKEN))
#define BETWEEN (IN(WORD) | IN(DOTTED) | IN(BASE64) | IN(TOKEN))

const unsigned char redact_charsets[256] = {
    ['0' ... '9'] = ALNUM | IN(HEX) | IN(UPPER),
    ['A' ... 'F'] = ALNUM | IN(HEX) | IN(UPPER),
    ['G' ... 'Z'] = ALNUM | IN(UPPER),
    ['a' ... 'f'] = ALNUM | IN(HEX),
    ['g' ... 'z'] = ALNUM,
    ['_'] = BETWEEN,
    ['-'] = BETWEEN,
    ['.'] = IN(DOTTED) | IN(TOKEN),
    ['+'] = IN(BASE64) | IN(TOKEN),
    ['/'] = IN(BASE64) | IN(TOKEN),
    ['='] = IN(BASE64) | IN(TOKEN),
    [':'] = IN(TOKEN),
    ['~'] = IN(TOKEN),
    ['@'] = IN(TOKEN),
    ['"'] = IN(TOKEN),
    ['\''] = IN(TOKEN),
};

size_t redact_run_end(struct charset_runs *r, enum redact_charset set, size_t at)
{
    struct charset_run *run = &r->of[set];

    if (at >= run->start && at < run->end)
        return run->end;
    run->start = run->end = at;
    while (run->end < r->text.len && redact_in_charset(set, r->text.s[run->end]))
        run->end++;
    return run->end;
}

/* Three parts joined by dots: a JSON web token, or the token of a chat bot. */
static size_t dotted(struct charset_runs *r, size_t at, const size_t least[3])
{
    size_t start = at, end = at;

    for (int i = 0; i < 3; i++) {
        end = redact_run_end(r, CHARS_WORD, start);
        if (end - start < least[i] || (i < 2 && (end >= r->text.len || r->text.s[end] != '.')))
            return 0;
        start = end + 1;
    }
    return end - at;
}

/* 123456789:AA...: the token of another chat bot. */
static size_t numbered(struct charset_runs *r, size_t at)
{
    struct str text = r->text;
    size_t i = at;

    while (i < text.len && i - at < 11 && ascii_is_digit(text.s[i]))
        i++;
    if (i - at < 8 || !str_starts(str_from_byte(text, i), STR(":AA")))
        return 0;
    size_t end = redact_run_end(r, CHARS_WORD, i + 1);
    return end - i > 30 ? end - at : 0;
}

/* Only at the start of a run of word characters, so that each run is scanned once, however often
 * "eyJ" occurs in it. */
static size_t special(struct charset_runs *r, size_t at)
{
    static const size_t web_token[3] = {10, 10, 0}, bot[3] = {24, 6, 27};
    char c = r->text.s[at];

    if (at > 0 && redact_in_charset(CHARS_WORD, r->text.s[at - 1]))
        return 0;
    if (str_starts(str_from_byte(r->text, at), STR("eyJ")))
        return dotted(r, at, web_token);
    if (c == 'M' || c == 'N' || c == 'O')
        return dotted(r, at, bot);
    return ascii_is_digit(c) ? numbered(r, at) : 0;
}

/* tools/gen/make_redact_index.c writes it while Warder is built; in a build without it any bytes
 * may begin one. */
#if __has_include("redact_index.inc")
#include "redact_index.inc"

static bool may_begin(char first, char second)
{
    return seconds[(unsigned char)first % REDACT_FIRSTS] >> redact_second(second) & 1;
}

#else

static bool may_begin(char first, char second)
{
    return first && second;
}

#endif

static size_t next_blank(struct charset_runs *r, size_t at)
{
    if (at >= r->blank)
        for (r->blank = at; r->blank < r->text.len && r->text.s[r->blank] != ' ';)
            r->blank++;
    return r->blank;
}

size_t redact_shape(struct charset_runs *r, size_t at)
{
    struct str rest = str_from_byte(r->text, at);

    if (next_blank(r, at) - at < SHAPE_LEAST) /* as nearly all words */
        return 0;
    size_t longest = special(r, at);
    if (!may_begin(rest.s[0], rest.s[1]))
        return longest;
    for (size_t i = 0; i < redact_shape_count; i++) {
        const struct shape *s = &redact_shapes[i];
        if (s->prefix[0] != rest.s[0] || !str_starts(rest, str_from(s->prefix)))
            continue;
        size_t prefix = strlen(s->prefix);
        size_t len = redact_run_end(r, s->chars, at + prefix) - at;
        if (len >= prefix + s->least && len > longest)
            longest = len;
    }
    return longest;
}
