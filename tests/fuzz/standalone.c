/* standalone.c - runs a fuzz target over its corpus without libFuzzer, so that every build checks
 * what fuzzing once found.
 *
 *     fuzz_json tests/fuzz/corpus/json */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *directory, const char *name)
{
    char path[4096];
    static uint8_t data[1 << 20];

    snprintf(path, sizeof(path), "%s/%s", directory, name);
    FILE *f = fopen(path, "rb");
    if (!f)
        return -1;
    size_t size = fread(data, 1, sizeof(data), f);
    fclose(f);

    /* A copy of the exact size, so that AddressSanitizer sees the first byte read past the end. */
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        return -1;
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned long ran = 0;

    for (int i = 1; i < argc; i++) {
        DIR *d = opendir(argv[i]);
        if (!d) {
            perror(argv[i]);
            return 1;
        }
        for (struct dirent *e; (e = readdir(d)) != NULL;) {
            if (e->d_name[0] == '.')
                continue;
            if (run_file(argv[i], e->d_name) != 0) {
                perror(e->d_name);
                return 1;
            }
            ran++;
        }
        closedir(d);
    }
    printf("%lu inputs\n", ran);
    return ran == 0;
}
