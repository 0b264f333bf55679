/* path.h - lexical paths: text only, the disk is never touched.
 *
 * Because nothing is looked up, ".." removes the component before it even if that is a symbolic
 * link on the disk. A caller that needs the real path resolves it first.
 *
 * Views may contain any byte, NUL included, while the system would end the path at the NUL. So a
 * caller that takes a path from outside must refuse it if path_has_nul(): otherwise /tmp/x\0/../etc
 * would be judged as a different file from the one that is opened. */
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

/* Removes empty components, "." and "name/..". ".." above the root stays at the root; at the start
 * of a relative path it is kept. The empty path becomes ".". NUL-terminated. */
struct str path_clean(struct arena *a, struct str path);
/* The same for a path that is NUL-terminated and lives as long as the arena: returned as is if it
 * is clean. */
struct str path_cleaned(struct arena *a, struct str path);

/* Is it absolute, and would path_clean() keep it as it is? */
bool path_is_clean(struct str path);

/* `path` if it is absolute, else below `base`. Not cleaned, except that an empty `path` adds
 * nothing. NUL-terminated.
 */
struct str path_join(struct arena *a, struct str base, struct str path);

/* Expands a leading "~" or "~/", joins to `cwd`, cleans. False, with *out empty, if the result is
 * not known: for "~user" (also "~+" and "~-"), for "~" if `home` is not absolute, for a relative
 * path if `cwd` is not. */
bool path_absolute(struct arena *a, struct str cwd, struct str home, struct str path,
                   struct str *out);

/* The same without cleaning: what the system would see, for callers that ask the disk where ".."
 * after a link leads. */
bool path_expand(struct arena *a, struct str cwd, struct str home, struct str path,
                 struct str *out);

/* The next two compare text: give them cleaned paths. */

/* By whole components: /a/bc is not inside /a/b; a directory is inside itself. An absolute path is
 * never inside a relative one, nor vice versa; a path that starts with ".." is only inside one that
 * does so too. */
bool path_is_inside(struct str path, struct str dir);

/* `path` relative to `dir`: "" for `dir` itself. False, with *out empty, if it is not inside. A
 * view of `path`. */
bool path_relative(struct str dir, struct str path, struct str *out);

/* After the last slash, trailing slashes ignored; "/" for the root. */
struct str path_base(struct str path);
struct str path_dir(struct str path); /* before that; "/" below the root, "." for a bare name */
size_t path_depth(struct str path);   /* components without empty ones and ".": 0 for "/" and "." */

#endif
