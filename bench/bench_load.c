/* bench_load.c - how long it takes to load a policy: from its text, or by mapping an image, as
 * hooks do.
 *
 *     bench_load [FILE]     FILE gets the figures as lines of JSON
 *
 * The same rules in each syntax, with 100, 10,000 and 100,000 rules, interleaved. Loading an image
 * includes checking its sources and its checksum. Processor time, user and system. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "lines.h"
#include "place.h"
#include "policy/image.h"
#include "warder.h"

#define ROUNDS      9
#define IMAGE_RUNS  5 /* per sample */
#define IMAGE_TRIES 5

static const char *const syntaxes[] = {"json", "toml", "yaml"};

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bench_load: %s\n", what);
    exit(1);
}

/* ---- from text ---- */

static warder_engine *open_engine(void)
{
    warder_options o = WARDER_OPTIONS_INIT;
    warder_engine *e = NULL;
    warder_error err;

    o.home = place_home();
    o.cwd = o.project = place_project();
    if (warder_engine_new(&o, &e, &err) != WARDER_OK)
        die(err.message);
    return e;
}

static void read_text(void *arg)
{
    *(warder_engine **)arg = open_engine();
}

static double time_text(void)
{
    warder_engine *e = NULL;
    double took = measure_once(read_text, (void *)&e);

    warder_engine_free(e);
    return took;
}

/* ---- from the image ---- */

/* As hooks search for it. */
static struct image_key key_of_place(void)
{
    static char config[PATH_MAX], state[PATH_MAX];

    place_path(config, ".config");
    place_path(state, ".local/state/warder");
    return (struct image_key){str_from(place_home()), str_from(config), str_from(state),
                              str_from(place_project())};
}

/* Sometimes a number of a large policy looks like an address and the image is refused; a second try
 * succeeds. */
static void write_image(const struct image_key *key)
{
    const struct image *image = NULL;

    for (int i = 0; i < IMAGE_TRIES && !image; i++) {
        place_write_image();
        (void)image_map(key, &image);
    }
    image_unmap(image);
}

struct mapping {
    struct image_key key;
    const struct image *image;
};

static void map(void *arg)
{
    struct mapping *m = arg;
    enum image_state state = image_map(&m->key, &m->image);

    if (state != IMAGE_FRESH)
        die(image_state_name(state));
}

static double time_image(const struct image_key *key)
{
    struct mapping m = {.key = *key};
    double took = 0;

    for (int i = 0; i < IMAGE_RUNS; i++) {
        took += measure_once(map, &m);
        image_unmap(m.image);
    }
    return took / IMAGE_RUNS;
}

static double size_of_image(const struct image_key *key)
{
    char path[PATH_MAX];
    struct stat st;

    if (!image_path(key, path) || stat(path, &st) < 0)
        place_stop("the image");
    return (double)st.st_size;
}

/* ---- main ---- */

static void add(const char *who, size_t rules, double *samples)
{
    struct measured m = measure_samples(samples, ROUNDS);

    printf("%7zu rules  %-12s %10.3f ms   (%.3f to %.3f)\n", rules, who, m.median * 1e3,
           m.low * 1e3, m.high * 1e3);
    lines_add("load", who, rules, "s", m);
}

static void measure_size(size_t rules)
{
    double text[COUNT(syntaxes)][ROUNDS], image[ROUNDS];
    char who[32];
    const struct image_key key = key_of_place();

    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < COUNT(syntaxes); i++) {
            place_rules(syntaxes[i], rules);
            text[i][round] = time_text();
        }
    write_image(&key); /* from the last syntax */
    for (size_t round = 0; round < ROUNDS; round++)
        image[round] = time_image(&key);
    for (size_t i = 0; i < COUNT(syntaxes); i++) {
        snprintf(who, sizeof(who), "from %s", syntaxes[i]);
        add(who, rules, text[i]);
    }
    add("from image", rules, image);
    double size = size_of_image(&key);
    printf("%7zu rules  %-12s %10.2f MB\n", rules, "image", size / (1 << 20));
    lines_add("image", "file", rules, "B", (struct measured){size, size, size});
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {100, 10000, 100000};

    lines_open(argc > 1 ? argv[1] : NULL);
    place_make("/tmp");
    place_write_event(PLACE_COMMAND);
    for (size_t i = 0; i < COUNT(sizes); i++)
        measure_size(sizes[i]);
    lines_close();
    return 0;
}
