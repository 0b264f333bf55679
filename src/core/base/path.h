/* path.h - lexical paths: text only, the disk is never touched.
 *
 * Because nothing is looked up, ".." takes away the component before it even if
 * that is a symbolic link on the disk; whoever needs the truth resolves first.
 *
 * Views may hold any byte. A NUL is a byte of a name here, while the system would
 * end the path at it: whoever takes a path from outside asks path_has_nul()
 * first and refuses, or /tmp/x\0/../etc would be judged as another file than the
 * one that is opened. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

static inline bool path_is_absolute(struct str path)
{
    return path.len > 0 && path.s[0] == '/';
}

static inline bool path_has_nul(struct str path)
{
    return str_has(path, '\0');
}

/* Without empty components, "." and "name/..". ".." above the root stays at the root; in front of a
 * relative path it is kept. The empty path is ".". NUL-terminated. */
struct str path_clean(struct arena *a, struct str path);
/* The same of a path that is NUL-terminated and stays as long as the arena: no copy where nothing
 * is taken away. */
struct str path_cleaned(struct arena *a, struct str path);

/* Absolute, and path_clean() would take nothing away, as is the case with most. */
bool path_is_clean(struct str path);

/* `path` if it is absolute, else below `base`. Not cleaned, except that an empty `path` adds
 * nothing. NUL-terminated.
 */
struct str path_join(struct arena *a, struct str base, struct str path);

/* Expands a leading "~" or "~/", joins to `cwd`, cleans. False, and *out is empty, when the result
 * is not known: for
 * "~user" (also "~+" and "~-"), for "~" when `home` is not absolute, for a relative path when `cwd`
 * is not. */
bool path_absolute(struct arena *a, struct str cwd, struct str home, struct str path,
                   struct str *out);

/* The same, not cleaned: what the system would get, for those who ask the disk where ".." behind a
 * link leads. */
bool path_expand(struct arena *a, struct str cwd, struct str home, struct str path,
                 struct str *out);

/* The next two compare text: give them cleaned paths. */

/* On component boundaries: /a/bc is not inside /a/b; a directory is inside itself. An absolute path
 * is never inside a relative one, nor the other way round, and a relative one that begins with ".."
 * only inside such a one. */
bool path_is_inside(struct str path, struct str dir);

/* `path` as seen from `dir`: "" for `dir` itself. False, and *out is empty, when it is not inside.
 * A view of `path`. */
bool path_relative(struct str dir, struct str path, struct str *out);

struct str path_base(
    struct str path); /* behind the last slash, slashes at the end not counted; "/" for the root */
struct str path_dir(struct str path); /* before that; "/" below the root, "." for a bare name */
size_t
path_depth(struct str path); /* components, empty ones and "." not counted: 0 for "/" and "." */

#endif
