#include "serve/frame.h"

#include <openssl/evp.h>
#include <stdio.h>

#define FINAL  0x80u
#define MASKED 0x80u

enum frame_kind frame_read(struct str bytes, size_t *used, char *payload, size_t *len)
{
    const unsigned char *b = (const unsigned char *)bytes.s;

    if (bytes.len < 2)
        return FRAME_NONE;
    unsigned kind = b[0] & 0x0fu;
    *len = b[1] & 0x7fu;
    if (b[0] & 0x70u || !(b[1] & MASKED) || (kind > 2 && kind < FRAME_CLOSE) || kind > FRAME_PONG)
        return FRAME_BAD;
    if (kind < FRAME_CLOSE)
        return FRAME_UNWANTED;
    if (!(b[0] & FINAL) || *len > FRAME_CONTROL_MAX || (kind == FRAME_CLOSE && *len == 1))
        return FRAME_BAD;
    if (bytes.len < 6 + *len)
        return FRAME_NONE;
    for (size_t i = 0; i < *len; i++)
        payload[i] = (char)(b[6 + i] ^ b[2 + i % 4]);
    *used = 6 + *len;
    return (enum frame_kind)kind;
}

bool frame_add(struct bytes *out, enum frame_kind kind, struct str payload)
{
    char head[10] = {(char)(FINAL | (unsigned)kind)};
    size_t len = 2, extra = payload.len < 126 ? 0 : payload.len < 65536 ? 2 : 8;

    head[1] = (char)(extra == 0 ? payload.len : extra == 2 ? 126 : 127);
    for (size_t i = 0; i < extra; i++)
        head[len++] = (char)(payload.len >> 8 * (extra - 1 - i));
    return bytes_add(out, (struct str){head, len}) && bytes_add(out, payload);
}

bool frame_add_close(struct bytes *out, unsigned code, const char *why)
{
    char payload[FRAME_CONTROL_MAX] = {(char)(code >> 8), (char)code};
    int len = snprintf(payload + 2, sizeof payload - 2, "%s", why);

    return frame_add(out, FRAME_CLOSE, (struct str){payload, 2 + (size_t)len});
}

/* RFC 6455, 1.3: proves only that this is a WebSocket server; the SHA-1 protects nothing. */
#define GUID "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

#define KEY_LEN 24u

bool frame_accept(struct str key, char out[FRAME_ACCEPT_MAX])
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    char text[KEY_LEN + sizeof GUID];
    unsigned len = 0;

    if (key.len != KEY_LEN)
        return false;
    memcpy(text, key.s, KEY_LEN);
    memcpy(text + KEY_LEN, GUID, sizeof GUID);
    if (EVP_Digest(text, KEY_LEN + sizeof GUID - 1, digest, &len, EVP_sha1(), NULL) != 1)
        return false;
    return EVP_EncodeBlock((unsigned char *)out, digest, (int)len) > 0;
}
