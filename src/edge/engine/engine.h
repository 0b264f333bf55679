/* engine.h - the opaque types of the public headers, and what works on them. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <pthread.h>

#include "base/show.h"
#include "decide/decide.h"
#include "engine/options.h"
#include "engine/snapshot.h"
#include "machine/disk.h"
#include "record/decision.h"
#include "warder.h"

#define NO_DECISION "there is no decision" /* what every text about NULL says */

#define DECISION_MEMORY_MAX ((size_t)256 * 1024 * 1024)

struct client;
struct edges;
struct recorder;
struct resolving;
struct session_id;
struct shelf;
struct thread_cache;

/* In the list of all engines; see forks.c. */
struct engine_link {
    struct engine_link *next, *before;
};

/* Nothing but the slot changes after it was opened. */
struct warder_engine {
    struct engine_link link;
    atomic_size_t holders;         /* the embedder, and every decision */
    const struct edges *edges;     /* see edges.h */
    struct arena arena;            /* of the copied options */
    const struct profile *profile; /* given, or the default unless policy chooses another */
    bool profile_given;
    struct policy_request request;
    struct str cwd, home, project, mode, plan_file, session, client;
    bool headless, auto_allow, bypass_flag;
    bool pausable; /* a pause of this user counts */
    bool saves;    /* what calls lose is saved before they run */
    bool contains; /* the caller runs what is contained in a cell */
    bool untried;  /* ... and one could have, but nobody has tried since the machine was started */
    bool tier_given; /* ... of this tier, whatever this machine has: */
    enum cell_tier tier;
    bool serves;    /* it is the service's, whose rules count beside whatever policy was named */
    bool by_hand;   /* options_by_hand() */
    bool unguarded; /* a fault ends the process */
    bool nobody_serves; /* no service answered when the event came that it was opened for */
    struct str program; /* that runs, without links; empty: not known */
    struct strs own;    /* what verdicts depend on, where no row of path_classes.c says it */
    struct str service_dirs[SERVICE_DIRS]; /* options_service_dirs(); empty: nothing is recorded */
    struct snapshot_slot slot;
    pthread_mutex_t updating;   /* held while a snapshot is replaced; a check never takes it */
    struct shelf *sessions;     /* NULL: sessions are files below the state directory */
    struct recorder *recorder;  /* NULL: nothing is recorded */
    struct thread_cache *cache; /* of the one thread that calls engine_open_call(); NULL: nothing
                                   is kept */
};

struct warder_decision {
    struct arena arena;    /* first: what follows, up to `disk`, is zeroed when it begins */
    warder_decision *self; /* for what is found out on demand, through a const pointer */
    warder_engine *engine;
    struct snapshot *snapshot;
    const struct profile *profile;
    const struct rulebook
        *book;       /* that it was judged by; NULL: not a call, or its policy could not be read */
    bool used_again; /* it has its own memory of the disk, if one was free */
    struct thread_cache *cache; /* whose memory of the disk it uses; NULL: none */
    warder_decision *resting;   /* the next one that is kept there for later use */
    struct str forbidden; /* what the call claims beyond the bounds of its caller; empty: nothing */
    bool bounded;         /* its caller may name no milder mode than the engine's own */
    struct call call;
    struct call last; /* the call as it would run: with the input that hooks or askers gave it */
    struct session session; /* that it was resolved with */
    /* The past of its session, where that matters: the beginning, the tree and the programs. Read
     * when a fact first depends on it. */
    struct session met;
    struct cell_facts cell; /* that it could run in, once it was looked for */
    bool cell_known;
    enum {
        PAST_UNUSED = 0,
        PAST_LOADED,
        PAST_BEGUN
    } past;                 /* PAST_BEGUN: a new session begins here */
    struct str past_client; /* whose session it is */
    bool recalled;
    bool resolved;
    struct resolving *open; /* it was prepared, and the caller asks; see prepare.c */
    bool faulted;           /* its analysis had a fault: it denies, and is not judged again */
    bool
        left; /* if it is allowed, that is left to the client: nothing but its own mode allows it */
    bool again;    /* the client asks about a call that was judged before: see decision_record() */
    bool abridged; /* its record lacks a part of the call, a secret or what is too long */
    bool just_judged; /* by the caller that resolves it: no change on the disk since would count */
    struct verdict verdict;
    struct str json, explain_json, explain_text[WARDER_EXPLAIN_ALL * 2];
    struct strs unasked; /* decision_unasked(), once they were looked for */
    bool unasked_found;
    struct str new_input;           /* verdict.updated_input as JSON, once it is resolved */
    char id[DECISION_ID_SIZE];      /* "" until it is recorded */
    char next_id[DECISION_ID_SIZE]; /* that its next record gets; "": not made yet */
    const char *name;               /* auto-accept, ...; NULL until then */

    /* From here on nothing is zeroed when it begins. */
    struct disk disk;     /* as it was judged by */
    struct world world;   /* that asks it */
    struct session asked; /* that it was judged with before it was resolved: its mode, and what
                             `met` says */
    const struct project_policy
        *project;     /* of the snapshot, that it was judged by last; NULL: none */
    char why[300];    /* the reason of a refusal for which there may be no memory */
    char token[33];   /* of a contained call: what it was answered with */
    char outside[33]; /* of a contained call: by which a person can let it run outside; or empty */
};

warder_status engine_new(const struct edges *edges, const warder_options *options, bool serves,
                         warder_engine **out, warder_error *err);
/* An engine whose policy has one text more than the options say, whether they name files or not.
 * The text must live as long as the engine. */
warder_status engine_new_beside(const warder_options *options, const struct policy_text *text,
                                warder_engine **out, warder_error *err);
void engine_hold(warder_engine *e); /* warder_engine_free() gives it back */

/* Checks the options and copies what is kept. */
enum status engine_keep_options(warder_engine *e, const warder_options *options, struct error *err);

/* Fills `own`. Below an arena_try(), when the options were kept. */
void engine_find_own(warder_engine *e);

/* A session of this engine, by the program that it belongs to. */
struct session_id engine_session(const warder_engine *e, struct str client, struct str session);

/* How many projects it has read; and forgets all but its own. A forgotten one is read again when a
 * call names it. */
size_t engine_projects(warder_engine *e);
enum status engine_forget_projects(warder_engine *e, struct error *err);

/* The profiles and agents that there are, for policy files (policy_knows). */
bool engine_knows(enum policy_name kind, struct nearest *near);

/* What to read for this project, under this profile. */
struct policy_request engine_request(const warder_engine *e, const struct profile *profile,
                                     struct str project);

/* Reads the sources. With an old snapshot, a project whose files cannot be read keeps its policy:
 * there is an *out all the same, and the error names the file. */
enum status engine_read(const warder_engine *e, struct snapshot *old, struct snapshot **out,
                        struct error *err);

/* A change of what updates have made: the function gets this, fills `next` and sets `status`. */
struct engine_change {
    void (*make)(void *change);
    struct str text; /* what it is about, for the function */
    const warder_engine *engine;
    struct snapshot *old, *next;
    struct arena scratch; /* given up afterwards */
    struct error *err;
    enum status status;
};
enum status engine_change(warder_engine *e, void (*make)(void *), struct str text,
                          struct error *err);

/* The same policies as before, in a new snapshot that has its changes already. */
enum status engine_take_over(struct snapshot *old, struct snapshot *next, struct error *err);

/* What updates have set for the decision's session, or for all: a mode. */
void decision_set(const warder_decision *decision, struct session *out);

/* How the decision's call is judged. To judge it again, the caller adds what hooks or askers said
 * since, and begins with a fresh disk (disk_begin()). */
struct decide_options decision_options(warder_decision *decision);

/* Judges its call by its book, without session or hooks; `decision` is one. Below an arena_try().
 */
void decision_judge(void *decision);

/* A call of `tool` with its first argument, of any bytes. */
warder_status engine_ask(warder_engine *e, const char *tool, struct str argument,
                         warder_decision **out, warder_error *err);

/* What a call says about its own session: the mode, and the file that plan mode may write. */
enum said_mode {
    MODE_AT_MOST_OWN = 0, /* of a caller that the verdict binds: no milder mode than the engine's
                             own counts, and no plan file but the engine's */
    MODE_AS_SAID,         /* of an agent's own event: what its mode alone allows is left to it */
};

/* What a caller may say about itself, by the row of its token. */
struct caller_bounds {
    struct strs ids; /* of projects; none: it names any, but no accept rule counts because of it */
    struct strs directories; /* of projects, absolute and clean; none: as above */
    struct strs workers;     /* none: any */
    unsigned modes;          /* bits of enum mode; 0: any that the engine's own mode permits */
    enum mode first;         /* of a call that names none, where `modes` are given */
};

/* A call as JSON that will be resolved at once: it denies until then. `bounds`: NULL: none. Where
 * the call claims more than they permit, the decision's `forbidden` says what, and the caller
 * refuses it. */
warder_status engine_open_call(warder_engine *e, struct str json, enum said_mode said,
                               const struct caller_bounds *bounds, warder_decision **out,
                               warder_error *err);
/* The mode that the call would be judged in if it named none. */
bool decision_own_mode(warder_decision *decision, enum mode *out);

/* Is acceptEdits, where this client reports it, the mode of a person? The registration is not the
 * project's alone, no file of the project names a mode, and the mode of a sub-agent is that of the
 * agent that started it. */
bool decision_edits_by_person(const warder_decision *decision, const struct client *client);

/* A call as JSON that will be resolved next, for the client of this name: if the session is new, it
 * begins with this call. */
warder_status engine_check_first(warder_engine *e, struct str json, const char *client,
                                 warder_decision **out, warder_error *err);

/* The program that its session belongs to: as the call says, else the engine's. Empty: not known.
 */
struct str decision_client(const warder_decision *decision);

/* The call as it would run. */
const struct call *decision_call(const warder_decision *decision);

/* Finds its reason, message and suggestions. A check that is used again leaves them out, because
 * most callers never read them; call this before reading those of its verdict. */
void decision_word(warder_decision *decision);

/* The hooks of policy that a check has not asked, and that would be asked before the call runs. */
const struct strs *decision_unasked(warder_decision *decision);

/* Writes the input that is to run in place of the call's own. What cannot be written denies. */
void decision_write_input(warder_decision *decision);

/* Drops the texts that were written about it before it changed. */
void decision_forget_texts(warder_decision *decision);

/* Makes it deny from here on, and says why. Needs no memory. */
void decision_refuse(warder_decision *decision, const char *layer, const char *why);

/* arena_try() of its arena that survives a fault (machine/guard.h), unless its engine has no guard.
 * After a fault it denies, whatever follows, and false is returned. */
bool decision_try(warder_decision *decision, void (*fn)(void *), void *arg);

/* The same for a text about it, which may be asked for after it was acted on: a failure, and even a
 * fault, changes nothing in the decision. */
bool decision_try_text(warder_decision *decision, void (*fn)(void *), void *arg);

/* Makes it deny from here on: what was too large to be judged or put to someone is not allowed. */
void decision_overflow(warder_decision *decision);

/* The name of the rule that decided it, in the record and on the wire; empty: no rule did. */
struct str decision_rule_id(const warder_decision *decision);

/* Copies an inner error out, and returns its status. */
warder_status error_out(warder_error *out, const struct error *in);
warder_status give_no_memory(warder_error *out);
warder_status give_usage(warder_error *out, const char *what);

/* Copies a struct of a caller that was compiled with an older or a newer header: `to` is `size`
 * bytes of zeroes. False if a member is set that is not known here: it may be meant to make things
 * stricter. */
bool copy_versioned(void *to, size_t size, const void *from, size_t given);

/* "settings.json:12:7", or the name of the source if the rule is in no file. */
struct str rule_place(struct arena *a, const struct rule *r);

#endif
