#include "machine/digest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/sha256.h"

_Static_assert(WORLD_DIGEST == SHA256_HEX, "a digest is a SHA-256");

static bool add_all(struct sha256 *h, int file)
{
    char part[16384];
    size_t read_so_far = 0;
    ssize_t len;

    while ((len = read(file, part, sizeof(part))) > 0) {
        read_so_far += (size_t)len;
        if (read_so_far > DIGEST_BYTES_MAX)
            return false;
        sha256_add(h, (struct str){part, (size_t)len});
    }
    return len == 0;
}

/* -1: there is no such file, or it is not a regular one. */
static int open_regular(const char *path)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    struct stat st;

    if (file >= 0 && (fstat(file, &st) != 0 || !S_ISREG(st.st_mode))) {
        close(file);
        return -1;
    }
    return file;
}

bool digest_file(const char *path, char out[WORLD_DIGEST])
{
    AUTO_CLOSE int file = open_regular(path);
    uint8_t hash[SHA256_BYTES];
    struct sha256 h;

    if (file < 0)
        return false;
    sha256_init(&h);
    if (!add_all(&h, file))
        return false;
    sha256_end(&h, hash);
    sha256_hex(hash, out);
    return true;
}

bool digest_read(const char *path, char *out, size_t size, size_t *len)
{
    AUTO_CLOSE int file = open_regular(path);
    ssize_t got = file < 0 ? -1 : 1;

    for (*len = 0; got > 0 && *len < size; *len += (size_t)(got > 0 ? got : 0))
        got = read(file, out + *len, size - *len);
    return got == 0; /* the end of the file was seen */
}
