/* sha1.h - SHA-1 (FIPS 180-4), by which git names its objects. It protects nothing here. */
#ifndef BASE_SHA1_H
#define BASE_SHA1_H

#include "base/str.h"

#define SHA1_BYTES 20

/* Of two texts, one after the other. */
void sha1(struct str first, struct str second, uint8_t out[SHA1_BYTES]);

#endif
