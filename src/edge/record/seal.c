#include "record/seal.h"

#include <sodium.h>
#include <stdlib.h>

#define NONCE_BYTES crypto_aead_xchacha20poly1305_ietf_NPUBBYTES
#define TAG_BYTES   crypto_aead_xchacha20poly1305_ietf_ABYTES
#define KEY_BYTES   crypto_aead_xchacha20poly1305_ietf_KEYBYTES

/* Not by record_key_hash(): a worker can have the hash of any text written into the journal. */
static enum status derive(const struct record_key *key, unsigned char out[KEY_BYTES],
                          struct error *err)
{
    _Static_assert(sizeof(key->bytes) == crypto_kdf_KEYBYTES, "the key of the data directory");
    if (sodium_init() < 0)
        return fail(err, STATUS_IO, "the system has no random bytes");
    crypto_kdf_derive_from_key(out, KEY_BYTES, 1, "wdr-seal", key->bytes);
    return STATUS_OK;
}

static const unsigned char *bytes_of(struct str s)
{
    return (const unsigned char *)s.s;
}

enum status seal_close(const struct record_key *key, struct str about, struct str text,
                       struct str *out, struct error *err)
{
    unsigned char own[KEY_BYTES];
    enum status status = derive(key, own, err);
    unsigned long long len = 0;

    *out = (struct str){0};
    if (status != STATUS_OK)
        return status;
    unsigned char *sealed = malloc(NONCE_BYTES + text.len + TAG_BYTES);
    if (sealed) {
        randombytes_buf(sealed, NONCE_BYTES);
        crypto_aead_xchacha20poly1305_ietf_encrypt(sealed + NONCE_BYTES, &len, bytes_of(text),
                                                   text.len, bytes_of(about), about.len, NULL,
                                                   sealed, own);
        *out = (struct str){(const char *)sealed, NONCE_BYTES + (size_t)len};
    }
    sodium_memzero(own, sizeof(own));
    return sealed ? STATUS_OK : fail(err, STATUS_NOMEM, "out of memory");
}

enum status seal_open(const struct record_key *key, struct str about, struct str sealed,
                      struct str *out, struct error *err)
{
    unsigned char own[KEY_BYTES];
    enum status status = derive(key, own, err);
    unsigned long long len = 0;

    *out = (struct str){0};
    if (status != STATUS_OK)
        return status;
    if (sealed.len < NONCE_BYTES + TAG_BYTES)
        return fail(err, STATUS_UNSAFE, "a sealed call is too short");
    unsigned char *text = malloc(sealed.len - NONCE_BYTES + 1);
    if (!text)
        status = fail(err, STATUS_NOMEM, "out of memory");
    else if (crypto_aead_xchacha20poly1305_ietf_decrypt(
                 text, &len, NULL, bytes_of(sealed) + NONCE_BYTES, sealed.len - NONCE_BYTES,
                 bytes_of(about), about.len, bytes_of(sealed), own) != 0)
        status = fail(err, STATUS_UNSAFE,
                      "a sealed call does not open with the key of this data "
                      "directory");
    sodium_memzero(own, sizeof(own));
    if (!text || status != STATUS_OK) {
        free(text);
        return status;
    }
    text[len] = '\0';
    *out = (struct str){(const char *)text, (size_t)len};
    return STATUS_OK;
}

void seal_free(struct str *text)
{
    char *bytes;

    memcpy(&bytes, &text->s, sizeof(bytes)); /* a view cannot be freed; this one was malloc'ed */
    if (bytes)
        sodium_memzero(bytes, text->len);
    free(bytes);
    *text = (struct str){0};
}
