/* cells.h - what is known of the sandbox on this machine, and the tokens of contained calls.
 *
 * All of it is below the home that the user database names, where variables lead nobody else:
 *
 *   .cache/warder/cell                     which tier `warder sandbox check` has proved; its time
 *                                          is when a person has last asked for that
 *   .cache/warder/cell-tried-BOOT-BUILD    a hook has started it (cell_prove.h)
 *   .local/state/warder/cells/TOKEN        a plan; warder-cell takes it away and runs it
 *   .local/state/warder/cells/ignored-CLIENT   that client has run its own command instead
 *   .local/state/warder/cells/ran-UNTIL-TOKEN  such a plan, kept for `warder outside`
 *   .local/state/warder/cells/outside-ID       a person lets one call run outside, once
 *   .local/state/warder/cells/hidden           what plans hide, while it counts
 * (engine/cell_hidden.h)
 *
 * A token counts for one start of the machine, so it need not survive a power cut: it is written
 * before the answer leaves, and not synced. */
#ifndef ASK_CELLS_H
#define ASK_CELLS_H

#include <stdint.h>

#include "ask/cell_ends.h"
#include "base/error.h"
#include "base/sha256.h"
#include "base/str.h"
#include "rule/sandbox.h"

#define CELL_TOKEN_SIZE 33  /* with the NUL */
#define CELL_SECONDS    600 /* that a token counts */
#define CELL_BOOT_SIZE  37
#define CELL_BUILD_SIZE 17
#define CELL_CALL_SIZE  34

/* ---- the machine ---- */

/* The tier that was proved since the machine was started, by this build; CELL_NONE if that cannot
 * be told, or if the client has ignored an answer since a person has asked for the check. `home`:
 * of the caller; it must be that of the user database. *untried: nobody has looked (cell_prove.h).
 */
enum cell_tier cells_tier(const char *home, struct str client, bool *untried);

/* Is it the home of the user database? Nothing of this counts in another one. */
bool cells_are_in(const char *home);

bool cells_boot(char out[CELL_BOOT_SIZE]);
void cells_build(char out[CELL_BUILD_SIZE]);

/* A program in the directory of `self`, whatever $PATH says; false: it is not there. */
bool cells_beside(struct str self, const char *name, char *out, size_t room);
/* The one that runs plans; false also if its path needs quotes. */
bool cells_program(struct str beside, char *out, size_t room);

/* ---- tokens ---- */

/* Whose a token is. */
struct cell_call {
    struct str client, session;
    struct str use; /* the call's own ID, or what else tells it from others */
};

bool cells_new_token(char out[CELL_TOKEN_SIZE]);

/* The name of a call in a plan: hashes of its session and of itself. A stored plan begins with it.
 */
void cells_name_call(const struct cell_call *call, char out[CELL_CALL_SIZE]);
#define CELL_PLAN_BEGIN "{\"call\":\""

/* Is the plan still there: was the command of this token never run? */
bool cells_is_unused(const char *home, struct str token);

/* Opens the directory of tokens. */
enum status cells_open(const char *home, int *directory, struct error *err);

/* Stores the plan under the token. */
enum status cells_put(int directory, const char *token, struct str plan, struct error *err);

/* ---- outside, once ---- */

#define CELL_OUTSIDE_SIZE 33

/* The plan of a call that was contained in the last ten minutes, whether it has run or not; *text
 * is malloc'ed. STATUS_USAGE: there is none any more. */
enum status cells_find_plan(const char *home, const char *token, char **text, size_t *len,
                            struct error *err);

/* `id`: what names the call (engine/cell_outside.h). A person lets it run outside: once, within ten
 * minutes, as long as `files`, a hash, is the same. */
enum status cells_let_outside(const char *home, const char *id, const char *files,
                              struct error *err);
/* Is it let outside, and for which files? */
bool cells_see_outside(int directory, const char *id, char files[SHA256_HEX]);
/* Uses that up; of two processes one succeeds. */
bool cells_take_outside(int directory, const char *id);

/* ---- between calls ---- */

/* *text is malloc'ed; NULL: there is nothing that is ours alone, or more than `most` bytes. */
void cells_recall(int directory, size_t most, char **text, size_t *len);
/* An empty text changes nothing. What cannot be stored is found again. */
void cells_remember(int directory, const char *token, struct str text);

/* ---- was it honoured? ---- */

/* What an event proves. */
enum cell_event {
    CELL_NEXT, /* another call of the session comes: an old token was left */
    CELL_RAN,  /* this very call has run */
};

/* Looks for tokens of the session that were not used although the event proves that their calls
 * have run, removes them, and remembers that the client does not honour what it is answered; also
 * removes what has expired, and gives how cells have ended to `ends` (NULL: that stays). `old_s`:
 * how old a token must be for CELL_NEXT. True: it was found so just now. */
bool cells_watch(const char *home, const struct cell_call *call, enum cell_event event,
                 int64_t old_s, const struct cell_ends *ends);

#endif
