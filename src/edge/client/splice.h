/* splice.h - puts one value into a JSON text, or takes one out, and leaves every other byte alone.
 *
 * The text is a person's settings file: comments and commas before a closing bracket are read, too.
 */
#ifndef CLIENT_SPLICE_H
#define CLIENT_SPLICE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

enum status splice_read(struct arena *a, struct str text, struct value *out, struct error *err);

/* As the first item of the list at `object`.`key`, where `object` is a member of the document's
 * outermost object; what is missing is created. */
enum status splice_add(struct arena *a, struct str text, const char *object, struct str key,
                       struct str item, struct str *out, struct error *err);

/* Takes that item out again, and what becomes empty by that. */
enum status splice_remove(struct arena *a, struct str text, const char *object, struct str key,
                          size_t index, struct str *out, struct error *err);

#endif
