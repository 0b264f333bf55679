/* walls.h - what a sandbox refused to a call, as entries of policy that would let it do that there.
 *
 * What was refused the program chose, and a program that was told to do harm chooses what it
 * needs: no entry is made for protected or secret places, or for a whole home, and a person is
 * shown every one of them. */
#ifndef REPORT_WALLS_H
#define REPORT_WALLS_H

#include "base/json.h"
#include "rule/sandbox.h"

struct wall {
    enum sandbox_list list;
    struct str value;
};

/* Entries, by list. */
struct walls {
    struct strs lists[SANDBOX_LISTS];
};

/* What would let a cell do it: `kind` and `what` as the record has them. NULL: *out; else why there
 * is nothing. Looks at the disk; below an arena_try(). */
const char *wall_of(struct arena *a, struct str home, struct str kind, struct str what,
                    struct wall *out);

void walls_add(struct arena *a, struct walls *w, const struct wall *one);
bool walls_are_none(const struct walls *w);

/* As lines of warder.yaml, indented; and as the object of the key "sandbox". */
void walls_print(struct buf *b, const struct walls *w);
void walls_json(struct json_writer *w, const struct walls *walls);

#endif
