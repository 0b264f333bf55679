/* yaml.h - reads the part of YAML that people write by hand.
 *
 * libyaml reads YAML 1.1; scalars are interpreted by the 1.2 core schema, so that the meaning of a
 * rule does not change with its spelling:
 *
 *     null      nothing, ~, null, Null, NULL
 *     boolean   true, True, TRUE, false, False, FALSE
 *     integer   12, +12, -12, 0o14, 0xC (stored as plain decimal in 64 bits; 014 is fourteen)
 *     float     1.5, .5, 1e3, .inf, .nan (stored as written)
 *     string    everything else, and everything in quotes or in a block
 *
 * yes, no, on and off are strings, not booleans as in YAML 1.1. A key is always a string: 1: and
 * "1": are the same key.
 *
 * Refused, because people do not need them and attackers might: anchors and aliases (ten lines can
 * expand to a billion values), merge keys (<<), tags other than !!str, directives, keys that are
 * lists or mappings, duplicate keys, a second document, and line breaks that exist only in YAML 1.1
 * (U+0085, U+2028, U+2029, a lone carriage return): an editor shows the text after one as part of a
 * comment, and libyaml would read it as a rule. */
#ifndef DOCUMENT_YAML_H
#define DOCUMENT_YAML_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

/* As toml_read(). An empty text is null; a byte order mark is not counted in columns. */
enum status yaml_read(struct arena *a, struct str text, struct value *out, struct error *err);

#endif
