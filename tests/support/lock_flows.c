#include "support/lock_parts.h"
#include "support/respell.h"

/* ---- values ---- */

struct flows {
    struct strs forms, sinks;
};

/* FORM | REFERENCE: @ is the value, # the command that gets the reference. */
static struct str flow(struct arena *a, const struct flows *f, struct str value, struct dice *d)
{
    struct str form = f->forms.items[dice_below(d, f->forms.count)], reference = {0};
    struct str sink = f->sinks.items[dice_below(d, f->sinks.count)];
    size_t bar = str_last_index(form, '|');

    if (bar != STR_NONE) {
        reference = str_trim(str_from_byte(form, bar + 1));
        form = str_trim(str_slice(form, 0, bar));
    }
    sink = lock_filled(a, sink, '@', reference);
    return lock_filled(a, lock_filled(a, form, '@', value), '#', sink);
}

static void add_flows(struct arena *a, const struct flows *f, struct str value, size_t count,
                      struct lock_texts *out)
{
    struct dice d = lock_dice(lock_hash(value), 0);

    while (count--)
        lock_add_command(a, out, flow(a, f, value, &d));
}

/* Each $(...) of the text, as it is written. */
static void add_flows_of(struct arena *a, const struct flows *f, struct str text,
                         struct lock_texts *out)
{
    for (size_t i = 0; i < text.len; i++) {
        struct str rest = str_from_byte(text, i);
        size_t end = str_starts(rest, STR("$(")) ? str_index(rest, ')') : STR_NONE;
        if (end == STR_NONE)
            continue;
        rest = str_slice(rest, 0, end + 1);
        add_flows(a, f, rest, 10, out);
        for (uint64_t time = 0; time < 3; time++) /* ... and nearly so */
            add_flows(a, f, lock_with_sibling(a, rest, time), 4, out);
    }
}

void lock_texts_of_flows(struct arena *a, struct lock_texts *out)
{
    const struct strs *pieces = lock_pieces();
    struct lock_texts cases = {0};
    struct flows f = {{0}, {0}};

    lock_lines_read(a, "tests/lock/flows.txt", &f.forms);
    lock_lines_read(a, "tests/lock/sinks.txt", &f.sinks);
    lock_texts_of_cases(a, &cases);
    for (size_t i = 0; i < cases.count; i++)
        add_flows_of(a, &f, cases.items[i].text, out);
    for (size_t i = 0; i < pieces->count; i++)
        add_flows(a, &f, pieces->items[i], 24, out);
    lock_texts_sort(out);
}

/* ---- what rules are about ---- */

static struct str respelled(struct arena *a, struct str text, struct dice *d)
{
    for (size_t tries = 0; tries < 4; tries++)
        if (respellings[dice_below(d, respelling_count)].change(a, d, text, &text))
            return text;
    return text;
}

/* The words of the text between such quotes, with commas. */
static struct str listed(struct arena *a, struct str text, char quote)
{
    struct buf b = buf_in(a);
    struct str word;

    for (size_t n = 0; str_next_word(&text, &word); n++)
        buf_format(&b, "%s%c%.*s%c", n ? ", " : "", quote, STR_ARG(word), quote);
    return buf_str(&b);
}

/* @ is the text, ^ and ~ its words between quotes. */
static struct str carried(struct arena *a, struct str carrier, struct str text)
{
    struct str out = lock_filled(a, carrier, '^', listed(a, text, '\''));

    out = lock_filled(a, out, '~', listed(a, text, '"'));
    return lock_filled(a, out, '@', text);
}

void lock_texts_of_carriers(struct arena *a, struct lock_texts *out)
{
    struct strs carriers = {0}, denied = {0};

    lock_lines_read(a, "tests/lock/carriers.txt", &carriers);
    lock_lines_read(a, "tests/lock/denied.txt", &denied);
    for (size_t i = 0; i < carriers.count; i++)
        for (size_t n = 0; n < denied.count; n++) {
            struct dice d = lock_dice(lock_hash(carriers.items[i]) + lock_hash(denied.items[n]), 0);
            struct str text = denied.items[n];
            if (dice_below(&d, 2))
                text = respelled(a, text, &d);
            lock_add_command(a, out, carried(a, carriers.items[i], text));
        }
    lock_texts_sort(out);
}

void lock_texts_of_spellings(struct arena *a, struct lock_texts *out)
{
    struct lock_texts cases = {0};

    lock_texts_of_cases(a, &cases);
    for (size_t i = 0; i < cases.count; i++) {
        struct dice d = lock_dice(cases.items[i].hash, 1);
        lock_add_command(a, out, respelled(a, cases.items[i].text, &d));
    }
    lock_texts_sort(out);
}
