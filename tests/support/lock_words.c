#include "support/lock_parts.h"

#include <stdlib.h>
#include <string.h>

#include "support/shared.h"

struct dictionary {
    struct strs *lines; /* of words */
    size_t count;
    struct dictionary_word {
        struct str word;
        size_t line;
    } * words; /* in order */
    size_t word_count;
};

static int by_word(const void *a, const void *b)
{
    const struct dictionary_word *x = a, *y = b;
    int d = str_compare(x->word, y->word);

    return d ? d : x->line < y->line ? -1 : x->line > y->line;
}

static void read_words(struct arena *a, struct dictionary *d)
{
    struct dictionary_words LIST_OF(struct dictionary_word) words = {0};
    struct lines LIST_OF(struct strs) lines = {0};
    size_t len;
    char *whole = read_whole_file(source_path("tests/lock/words.txt"), &len);
    struct str rest = str_copy(a, (struct str){whole, len}), line;

    free(whole);
    while (rest.len) {
        struct strs own = {0};
        struct dictionary_word w = {.line = lines.count};
        str_cut(rest, '\n', &line, &rest);
        while (str_next_word(&line, &w.word)) {
            LIST_PUSH(a, &words, w);
            LIST_PUSH(a, &own, w.word);
        }
        LIST_PUSH(a, &lines, own);
    }
    qsort(words.items, words.count, sizeof(words.items[0]), by_word);
    *d = (struct dictionary){lines.items, lines.count, words.items, words.count};
}

/* The first place of the word, or the end. */
static size_t find_word(const struct dictionary *d, struct str word)
{
    size_t low = 0, high = d->word_count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (str_compare(d->words[middle].word, word) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < d->word_count && str_eq(d->words[low].word, word) ? low : d->word_count;
}

/* One of a line that has the word, by chance; empty: there is none. */
static struct str sibling(const struct dictionary *d, struct str word, struct dice *dice)
{
    size_t first = find_word(d, word), last = first;

    while (last < d->word_count && str_eq(d->words[last].word, word))
        last++;
    if (first == last)
        return (struct str){0};
    const struct strs *line = &d->lines[d->words[first + dice_below(dice, last - first)].line];
    return line->items[dice_below(dice, line->count)];
}

static void add_siblings(struct arena *a, const struct dictionary *d, const struct lock_text *t,
                         size_t each, struct lock_texts *out)
{
    struct str text = t->text, left = text, word;
    struct dice dice = lock_dice(t->hash, 0);

    while (str_next_word(&left, &word)) {
        const char *stops = "\"'`$(){};|&<>=";
        size_t from = 0, to = word.len;
        while (from < to && strchr(stops, word.s[from]))
            from++;
        while (to > from && strchr(stops, word.s[to - 1]))
            to--;
        word = str_slice(word, from, to);
        for (size_t n = 0; n < each; n++) {
            struct str other = sibling(d, word, &dice);
            if (other.len && !str_eq(other, word))
                lock_add_command(a, out,
                                 lock_put(a, text, (size_t)(word.s - text.s), word.len, other));
        }
    }
}

/* What stands in $(...), or between quotes if it has a blank. */
static void add_insides(struct arena *a, struct str text, struct lock_texts *out)
{
    for (size_t i = 0; i < text.len; i++) {
        bool substitution = str_starts(str_from_byte(text, i), STR("$("));
        if (!substitution && text.s[i] != '\'' && text.s[i] != '"')
            continue;
        struct str inside = str_from_byte(text, i + (substitution ? 2 : 1));
        size_t end = str_index(inside, substitution ? ')' : text.s[i]);
        if (end == STR_NONE)
            continue;
        inside = str_slice(inside, 0, end);
        if (substitution || str_has(inside, ' '))
            lock_add_command(a, out, inside);
        if (substitution) {
            lock_add_command(a, out, str_format(a, "rm -rf \"$(%.*s)\"/x", STR_ARG(inside)));
            lock_add_command(a, out, str_format(a, "git push origin $(%.*s)", STR_ARG(inside)));
            lock_add_command(a, out,
                             str_format(a, "X=$(%.*s); cd \"$X\" && make", STR_ARG(inside)));
        } else
            i += end + 1;
    }
}

static void add_shorter(struct arena *a, struct str text, struct dice *dice, struct lock_texts *out)
{
    struct str word = lock_word(text, dice);

    if (word.len && word.len < text.len)
        lock_add_command(a, out,
                         lock_put(a, text, (size_t)(word.s - text.s), word.len, (struct str){0}));
}

void lock_texts_of_parts(struct arena *a, struct lock_texts *out)
{
    struct lock_texts cases = {0};

    lock_texts_of_cases(a, &cases);
    for (size_t i = 0; i < cases.count; i++) {
        struct dice dice = lock_dice(cases.items[i].hash, 0);
        add_insides(a, cases.items[i].text, out);
        add_shorter(a, cases.items[i].text, &dice, out);
        if (cases.items[i].hash % 2)
            lock_add_command(
                a, out,
                str_slice(cases.items[i].text, 0, dice_below(&dice, cases.items[i].text.len + 1)));
    }
    lock_texts_sort(out);
}

struct own_words {
    struct arena *arena;
    struct dictionary *words;
};

static void read_own(void *arg)
{
    const struct own_words *own = arg;

    read_words(own->arena, own->words);
}

void lock_texts_of_words(struct arena *a, struct lock_texts *out)
{
    struct lock_texts cases = {0}, parts = {0};
    struct dictionary d;

    read_words(a, &d);
    lock_texts_of_cases(a, &cases);
    lock_texts_of_parts(a, &parts);
    for (size_t i = 0; i < cases.count; i++)
        add_siblings(a, &d, &cases.items[i], 1, out);
    for (size_t i = 0; i < parts.count; i++)
        add_siblings(a, &d, &parts.items[i], 1, out);
    lock_texts_sort(out);
}

struct str lock_with_sibling(struct arena *a, struct str text, uint64_t time)
{
    static struct arena own;
    static struct dictionary d;
    struct lock_texts found = {0};
    const struct lock_text t = {STR("Bash"), text, lock_hash(text) + time};

    if (!d.count) {
        arena_init(&own, 16 << 20);
        if (!arena_try(&own, read_own, &(struct own_words){&own, &d}))
            abort();
    }
    add_siblings(a, &d, &t, 1, &found);
    return found.count ? found.items[t.hash / 8 % found.count].text : text;
}
