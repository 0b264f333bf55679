/* yaml.h - reads the part of YAML that people write by hand into the document model.
 *
 * libyaml reads YAML 1.1; the scalars here are those of the 1.2 core schema, so
 * that a rule does not change its meaning with its spelling:
 *
 *     null      nothing, ~, null, Null, NULL
 *     boolean   true, True, TRUE, false, False, FALSE
 *     integer   12, +12, -12, 0o14, 0xC (arrives as plain decimal; 014 is fourteen; must fit 64
 * bits) float     1.5, .5, 1e3, .inf, .nan (arrives as written) string    everything else, and
 * everything in quotes or in a block
 *
 * yes, no, on and off are strings, not booleans as in YAML 1.1. A key is a
 * string in whatever way it is written: 1: and "1": are the same key.
 *
 * Refused, because a person does not need them and an attacker may: anchors and
 * aliases (ten lines that stand for a billion values), merge keys (<<), tags
 * other than !!str, directives, keys that are lists or mappings, the same key
 * twice, a second document, and the line breaks that only YAML 1.1 knows
 * (U+0085, U+2028, U+2029, a lone carriage return): an editor shows what follows
 * them as part of a comment, and libyaml would read it as a rule. */
#ifndef DOCUMENT_YAML_H
#define DOCUMENT_YAML_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

/* As toml_read(). An empty text is null; a byte order mark is not counted in columns. */
enum status yaml_read(struct arena *a, struct str text, struct value *out, struct error *err);

#endif
