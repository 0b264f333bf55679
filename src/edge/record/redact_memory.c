#include "record/redact_memory.h"

#include <stdlib.h>

#include "record/redact.h"

/* How a text was scanned. A text that quotes a command with secrets is not remembered. */
enum look { LOOK_NONE = 0, LOOK_TEXT, LOOK_QUOTING, LOOK_COMMAND };

struct redact_memory {
    struct clean {
        enum look as;
        uint16_t len;
        char text[REDACT_MEMORY_BYTES];
    } slots[REDACT_MEMORY_SLOTS];
};

struct redact_memory *redact_memory_new(void)
{
    return calloc(1, sizeof(struct redact_memory));
}

void redact_memory_free(struct redact_memory *m)
{
    free(m);
}

/* NULL: nothing of this kind is remembered. */
static struct clean *slot_of(struct redact_memory *m, enum look as, struct str text)
{
    return m && text.len && text.len <= REDACT_MEMORY_BYTES
               ? &m->slots[(str_hash(text) + as) % REDACT_MEMORY_SLOTS]
               : NULL;
}

static bool is_known(const struct clean *c, enum look as, struct str text)
{
    return c && c->as == as && str_eq((struct str){c->text, c->len}, text);
}

static struct str keep(struct clean *c, enum look as, struct str text, struct str redacted)
{
    if (c && str_eq(text, redacted)) {
        c->as = LOOK_NONE; /* a fault on the way must not leave half of a text */
        c->len = (uint16_t)text.len;
        memcpy(c->text, text.s, text.len);
        c->as = as;
    }
    return redacted;
}

struct str redact_text_again(struct redact_memory *m, struct arena *a, struct str text)
{
    struct clean *c = slot_of(m, LOOK_TEXT, text);

    return is_known(c, LOOK_TEXT, text) ? text : keep(c, LOOK_TEXT, text, redact_text(a, text));
}

struct str redact_command_again(struct redact_memory *m, struct arena *a, struct str command,
                                struct strs *found)
{
    struct clean *c = slot_of(m, LOOK_COMMAND, command);

    if (is_known(c, LOOK_COMMAND, command))
        return command;
    struct str clean = redact_command(a, command, found);
    return found->count ? clean : keep(c, LOOK_COMMAND, command, clean);
}

struct str redact_quoting_again(struct redact_memory *m, struct arena *a, struct str text,
                                const struct strs *found)
{
    struct clean *c = found->count ? NULL : slot_of(m, LOOK_QUOTING, text);

    return is_known(c, LOOK_QUOTING, text)
               ? text
               : keep(c, LOOK_QUOTING, text, redact_quoting(a, text, found));
}
