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

bool digest_file(const char *path, char out[WORLD_DIGEST])
{
    AUTO_CLOSE int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    uint8_t hash[SHA256_BYTES];
    struct sha256 h;
    struct stat st;

    if (file < 0 || fstat(file, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    sha256_init(&h);
    if (!add_all(&h, file))
        return false;
    sha256_end(&h, hash);
    sha256_hex(hash, out);
    return true;
}
