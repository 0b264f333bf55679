/* edges.h - the parts of an engine that need a library, a policy file or a person, as a table.
 *
 * An engine is opened with one table and keeps it; nothing changes a table. There are two:
 * whole_edges, for libwarder and the programs that are made of it (warder, warder-serve), and that
 * of warder-hook (prog/hook/edges.c), which has no libraries and hands over to `warder hook` in
 * their place. connect/hook.h has the same for events. */
#ifndef ENGINE_EDGES_H
#define ENGINE_EDGES_H

#include "ask/hooks.h"
#include "engine/asking.h"
#include "policy/load.h"

struct edges {
    /* policy_open(): the policy of a project. */
    enum status (*open_policy)(const struct policy_request *request, struct policy **out,
                               struct error *err);

    /* examples_prove(): of policies that are read; NULL: there is nothing to prove. */
    policy_prove *prove;

    /* kept_write(): a copy of the project's policy files, for a session that begins. */
    enum status (*keep_policy)(const char *state_dir, struct shelf *shelf, const char *project,
                               const char *digest, struct error *err);

    /* regex_match(): of rules, and of the matchers of hooks. */
    enum regex_answer (*match)(const void *code, struct str text);

    /* hooks_consult(): the PreToolUse hooks of policy files. */
    void (*consult)(struct arena *a, const struct hook_question *q, int64_t deadline, int cancel_fd,
                    struct answer *out);

    /* asking_race(): everything that can answer an ask. */
    void (*race)(warder_decision *d, const warder_asking *asking, unsigned whom,
                 struct remote *review, int64_t deadline, struct asking_result *out);

    /* forks_join(), forks_leave(): of an engine that is open, in a process with threads. May be
     * NULL. */
    void (*join)(warder_engine *e);
    void (*leave)(warder_engine *e);

    /* decision_offer_approval(): a question for `warder approve`. */
    struct str (*offer)(warder_decision *d, const struct call *call, struct str client,
                        struct error *err);

    /* The file that this process runs, without links; false: not known. NULL: /proc says it. */
    bool (*program)(char out[WORLD_PATH_MAX]);
};

extern const struct edges whole_edges;

#endif
