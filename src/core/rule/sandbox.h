/* sandbox.h - what policy says about the sandbox: which calls run in a cell, and what a cell gets.
 *
 * Each key has the word of several sources. Of a scalar the strongest source's word counts; a
 * weaker source can only make it stricter, and nobody switches on what a stronger one has switched
 * off. Lists add up. Who may say what is checked where files are read (policy/sandbox.c). */
#ifndef RULE_SANDBOX_H
#define RULE_SANDBOX_H

#include <stdbool.h>

#include "base/list.h"
#include "base/str.h"

/* What the machine can do; a zeroed one is nothing. */
enum cell_tier { CELL_NONE = 0, CELL_LANDLOCK, CELL_NAMESPACES };
const char *cell_tier_name(enum cell_tier t);
bool cell_tier_parse(struct str name, enum cell_tier *out);

/* Scalars. The words of each are in the order from mild to strict; the value is the place of the
 * word. */
enum sandbox_key {
    SANDBOX_USE = 0,
    SANDBOX_NEED,
    SANDBOX_CODE,
    SANDBOX_ASKS,
    SANDBOX_RETRY,
    SANDBOX_BACKGROUND,
    SANDBOX_UNAVAILABLE,
    SANDBOX_CACHES,
};
#define SANDBOX_KEYS      8
#define SANDBOX_WORDS_MAX 3

enum sandbox_use { USE_OFF = 0, USE_AUTO, USE_ALWAYS };
enum sandbox_need { NEED_LANDLOCK = 0, NEED_NAMESPACES };
enum sandbox_code { CODE_FREE = 0, CODE_CONTAIN };
enum sandbox_asks { ASKS_LIFT = 0, ASKS_KEEP };
enum sandbox_retry { RETRY_ASK = 0, RETRY_DENY };
enum sandbox_background { BACKGROUND_KEEP = 0, BACKGROUND_END };
enum sandbox_unavailable { UNAVAILABLE_ASK = 0, UNAVAILABLE_DENY };
enum sandbox_caches { CACHES_SHARED = 0, CACHES_PRIVATE, CACHES_OFF };

struct sandbox_row {
    const char *key;
    const char *words[SANDBOX_WORDS_MAX]; /* from mild to strict */
    unsigned char otherwise;              /* where nobody has said anything */
};
extern const struct sandbox_row sandbox_rows[SANDBOX_KEYS];

/* Who says it, strongest first. Beside our own files a client's settings count less. */
enum sandbox_voice {
    VOICE_MANAGED = 0,
    VOICE_MANAGED_CLIENT,
    VOICE_USER,
    VOICE_USER_CLIENT,
    VOICE_LOCAL,
    VOICE_PROJECT,
};
#define SANDBOX_VOICES 6

enum sandbox_list {
    SANDBOX_WRITE = 0, /* absolute directories */
    SANDBOX_PROTECT,   /* absolute paths */
    SANDBOX_HIDE,      /* the same */
    SANDBOX_REVEAL,    /* the same */
    SANDBOX_OUTSIDE,   /* commands: words with '*' */
    SANDBOX_ENV_HIDE,  /* names of variables, with '*' */
    SANDBOX_ENV_KEEP,  /* the same */
    SANDBOX_HOSTS,     /* base/hosts.h */
    SANDBOX_REFUSE,    /* the same, and ranges of addresses */
    SANDBOX_KITS,      /* names of programs/kits.h */
    SANDBOX_SOCKETS,   /* absolute paths */
    SANDBOX_LOOPBACK,  /* ports of servers on this machine */
    SANDBOX_PUBLISH,   /* ports of servers in cells, which this machine reaches */
};
#define SANDBOX_LISTS 13

struct sandbox_policy {
    unsigned char said[SANDBOX_KEYS][SANDBOX_VOICES]; /* the place of the word and 1; 0: nothing */
    struct strs lists[SANDBOX_LISTS];
    unsigned locked; /* bits of enum sandbox_list: only managed policy adds what loosens */
    bool kits_named; /* only these; otherwise all that there are */
    bool unread;     /* a client's settings about it make no sense: nothing is contained */
};

/* The value that counts. Of SANDBOX_USE it is what policy says; sandbox_use() knows the rest. */
unsigned sandbox_value(const struct sandbox_policy *p, enum sandbox_key key);

/* Are cells used? `otherwise`: where nobody has said anything, which depends on the profile. */
enum sandbox_use sandbox_use(const struct sandbox_policy *p, bool otherwise);

/* Has managed policy or the user said so in their own files? */
bool sandbox_said_by_person(const struct sandbox_policy *p, enum sandbox_key key, unsigned value);

/* Is the tier at least what policy needs? */
bool sandbox_has_tier(const struct sandbox_policy *p, enum cell_tier tier);

/* Does policy give the kit of this name to the calls of its programs? */
bool sandbox_has_kit(const struct sandbox_policy *p, const char *kit);

/* May every cell talk to this host? On which ports, the entry says. */
bool sandbox_has_host(const struct sandbox_policy *p, struct str host);

/* Does one of the commands that never run in a cell match these words? */
bool sandbox_is_outside(struct arena *a, const struct sandbox_policy *p, struct str command);

#endif
