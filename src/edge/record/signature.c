#include "record/signature.h"

#include <sodium.h>

#define KEY_BYTES crypto_auth_hmacsha256_KEYBYTES
#define LETTERS   sodium_base64_VARIANT_URLSAFE_NO_PADDING

_Static_assert(SIGNATURE_SIZE == sodium_base64_ENCODED_LEN(crypto_auth_hmacsha256_BYTES, LETTERS),
               "the letters of a signature");

/* Not by record_key_hash(): a worker can have the hash of any text written into the journal. */
enum status signature_make(const struct record_key *key, struct str text, char out[SIGNATURE_SIZE],
                           struct error *err)
{
    unsigned char own[KEY_BYTES], sum[crypto_auth_hmacsha256_BYTES];

    out[0] = '\0';
    if (sodium_init() < 0)
        return fail(err, STATUS_IO, "the system has no random bytes");
    crypto_kdf_derive_from_key(own, sizeof(own), 1, "wdr-link", key->bytes);
    crypto_auth_hmacsha256(sum, (const unsigned char *)text.s, text.len, own);
    sodium_bin2base64(out, SIGNATURE_SIZE, sum, sizeof(sum), LETTERS);
    sodium_memzero(own, sizeof(own));
    return STATUS_OK;
}

enum status signature_check(const struct record_key *key, struct str text, struct str given,
                            struct error *err)
{
    char right[SIGNATURE_SIZE];
    enum status status = signature_make(key, text, right, err);

    if (status == STATUS_OK &&
        (given.len != SIGNATURE_SIZE - 1 || sodium_memcmp(right, given.s, SIGNATURE_SIZE - 1) != 0))
        status = fail(err, STATUS_UNSAFE, "the signature is wrong");
    sodium_memzero(right, sizeof(right));
    return status;
}
