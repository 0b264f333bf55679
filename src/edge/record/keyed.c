#include "record/keyed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/auto.h"
#include "machine/own.h"

#define NEW_NAME RECORD_KEY_NAME ".new"

/* ---- RFC 2104 ---- */

void record_key_hash(const struct record_key *key, struct str text, char out[SHA256_HEX])
{
    char inner[64] = {0}, outer[64] = {0};
    uint8_t hash[SHA256_BYTES];
    struct sha256 h;

    for (size_t i = 0; i < sizeof(inner); i++) {
        uint8_t byte = i < sizeof(key->bytes) ? key->bytes[i] : 0;
        inner[i] = (char)(byte ^ 0x36);
        outer[i] = (char)(byte ^ 0x5c);
    }
    sha256_init(&h);
    sha256_add(&h, (struct str){inner, sizeof(inner)});
    sha256_add(&h, text);
    sha256_end(&h, hash);
    sha256_init(&h);
    sha256_add(&h, (struct str){outer, sizeof(outer)});
    sha256_add(&h, (struct str){(const char *)hash, sizeof(hash)});
    sha256_end(&h, hash);
    sha256_hex(hash, out);
}

/* ---- the file: 64 hexadecimal digits ---- */

static int digit(char c)
{
    return ascii_is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* STATUS_USAGE: there is none. */
static enum status read_key(int directory, struct record_key *out, struct error *err)
{
    char text[SHA256_HEX];
    struct stat st;
    AUTO_CLOSE int fd =
        openat(directory, RECORD_KEY_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    if (fd < 0 && errno == ENOENT)
        return STATUS_USAGE;
    if (fd < 0)
        return fail(err, errno == ELOOP ? STATUS_UNSAFE : STATUS_IO, "cannot open %s: %s",
                    RECORD_KEY_NAME, strerror(errno));
    enum status status = own_look_at_file(fd, RECORD_KEY_NAME, &st, err);
    if (status != STATUS_OK)
        return status;
    if (st.st_mode & (S_IRWXG | S_IRWXO))
        return fail(err, STATUS_UNSAFE, "others can read %s; fix it with: chmod 600",
                    RECORD_KEY_NAME);
    if (read(fd, text, sizeof(text)) != SHA256_HEX - 1)
        return fail(err, STATUS_SYNTAX, "%s is not a key of 64 hexadecimal digits",
                    RECORD_KEY_NAME);
    for (size_t i = 0; i < SHA256_BYTES; i++) {
        int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return fail(err, STATUS_SYNTAX, "%s is not a key of 64 hexadecimal digits",
                        RECORD_KEY_NAME);
        out->bytes[i] = (uint8_t)(high << 4 | low);
    }
    return STATUS_OK;
}

/* Under the lock, so the temporary name can be fixed. */
static enum status make_key(int directory, struct error *err)
{
    uint8_t bytes[SHA256_BYTES];
    char text[SHA256_HEX];

    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return fail(err, STATUS_IO, "no random bytes for a key: %s", strerror(errno));
    sha256_hex(bytes, text);
    (void)unlinkat(directory, NEW_NAME, 0); /* of a process that died */
    AUTO_CLOSE int fd =
        openat(directory, NEW_NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return fail(err, STATUS_IO, "cannot create %s: %s", NEW_NAME, strerror(errno));
    enum status status = own_write(fd, NEW_NAME, str_from(text), err);
    if (status != STATUS_OK)
        return status;
    if (fsync(fd) < 0 || renameat(directory, NEW_NAME, directory, RECORD_KEY_NAME) < 0)
        return fail(err, STATUS_IO, "cannot create %s: %s", RECORD_KEY_NAME, strerror(errno));
    return STATUS_OK;
}

enum status record_key_load_at(int directory, struct record_key *out, struct error *err)
{
    enum status status = read_key(directory, out, err);

    if (status != STATUS_USAGE)
        return status;
    while (flock(directory, LOCK_EX) < 0)
        if (errno != EINTR)
            return fail(err, STATUS_IO, "cannot lock the data directory: %s", strerror(errno));
    status = read_key(directory, out, err); /* another process may have been faster */
    if (status == STATUS_USAGE && (status = make_key(directory, err)) == STATUS_OK)
        status = read_key(directory, out, err);
    (void)flock(directory, LOCK_UN);
    return status;
}
