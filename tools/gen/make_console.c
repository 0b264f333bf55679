/* make_console.c - writes console.inc: the files of a directory, one row each, with their type and
 * a hash of what is in them. Run by the build on what console/ was bundled into; a directory that
 * is empty, or not there, gives an empty table. */
#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"

#define HASH_LEN 8 /* letters of a hash in a file's name */

static const struct {
    const char *end, *type;
} types[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
};

static int fail_with(const char *what, const char *name)
{
    fprintf(stderr, "make_console: %s: %s\n", what, name);
    return EXIT_FAILURE;
}

static const char *type_of(const char *name)
{
    const char *end = strrchr(name, '.');

    for (size_t i = 0; end && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(end, types[i].end) == 0)
            return types[i].type;
    return NULL;
}

/* app-7QZ2MK4A.js: another content has another name. */
static bool has_hash(const char *name)
{
    const char *dash = strrchr(name, '-');
    size_t len = 0;

    if (!dash)
        return false;
    while (isupper((unsigned char)dash[1 + len]) || isdigit((unsigned char)dash[1 + len]))
        len++;
    return len == HASH_LEN && dash[1 + len] == '.';
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int read_file(const char *directory, const char *name, unsigned char **out, size_t *len)
{
    char path[4096];
    long size;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET))
        return fail_with("cannot read", path);
    *len = (size_t)size;
    *out = malloc(*len + 1);
    if (!*out || fread(*out, 1, *len, f) != *len)
        return fail_with("cannot read", path);
    fclose(f);
    return 0;
}

static int write_bytes(const char *directory, const char *name, int number, char *tag)
{
    unsigned char *bytes = NULL;
    uint8_t digest[SHA256_BYTES];
    struct sha256 h;
    size_t len;
    int failed = read_file(directory, name, &bytes, &len);

    if (failed)
        return failed;
    sha256_init(&h);
    sha256_add(&h, (struct str){(const char *)bytes, len});
    sha256_end(&h, digest);
    for (size_t i = 0; i < 8; i++)
        snprintf(tag + 2 * i, 3, "%02x", digest[i]);
    printf("static const unsigned char console_%d[] = {", number);
    for (size_t i = 0; i < len; i++)
        printf("%s%u,", i % 24 ? "" : "\n", bytes[i]);
    printf("0};\n");
    free(bytes);
    return 0;
}

int main(int argc, char **argv)
{
    struct dirent **entries = NULL;
    int count = argc == 2 ? scandir(argv[1], &entries, is_file, alphasort) : -1;
    char(*tags)[17] = calloc((size_t)(count > 0 ? count : 1), sizeof *tags);

    if (argc != 2 || !tags)
        return fail_with("which directory?", argv[0]);
    printf("/* Made by tools/gen/make_console.c. */\n");
    for (int i = 0; i < count; i++) {
        if (!type_of(entries[i]->d_name))
            return fail_with("no type is known for", entries[i]->d_name);
        if (write_bytes(argv[1], entries[i]->d_name, i, tags[i]))
            return EXIT_FAILURE;
    }
    printf("static const struct console_file console_files[] = {\n");
    for (int i = 0; i < count; i++)
        printf("    {\"%s\", \"%s\", \"\\\"%s\\\"\", %s, console_%d, sizeof console_%d - 1},\n",
               entries[i]->d_name, type_of(entries[i]->d_name), tags[i],
               has_hash(entries[i]->d_name) ? "true" : "false", i, i);
    printf("    {0},\n};\n");
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    free(tags);
    return EXIT_SUCCESS;
}
