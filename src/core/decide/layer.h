/* layer.h - the steps of a decision.
 *
 * A layer sees facts and gives an opinion, or none. It neither calls another layer nor sees what
 * others said, so each can be read and tested alone; a profile says which layers there are and in
 * which order. decide/fold.c turns their opinions into a verdict; decide/verdict.h lists what else
 * can allow a call. A new layer is a function and a row in layers.def. */
#ifndef DECIDE_LAYER_H
#define DECIDE_LAYER_H

#include "facts/facts.h"

/* Silence is zero: silence from all ends in ask. */
enum opinion { NO_OPINION = 0, SAY_ALLOW, SAY_ASK, SAY_DENY };

#define WHOLE_CALL ((size_t)-1)

struct said {
    enum opinion opinion;
    const struct rule *rule; /* that it is based on, or NULL */
    size_t action;           /* which action it is about, or WHOLE_CALL */
    struct str reason;       /* for people; empty: the layer's sentence */
    struct str message;      /* for the model, where a spec fixes its words; empty: the reason */
    bool immune;             /* this ask survives bypass and --auto-allow */
    bool interrupt;          /* stop the agent's loop */
    bool blind;              /* this allow also covers what was not understood (bypass only) */
};

enum layer_id {
#define LAYER(id, kind, function, name, sentence) LAYER_##id,
#include "decide/layers.def"
#undef LAYER
    LAYER_COUNT
};

struct layer {
    const char *name;
    const char *says; /* its sentence: shown by explain, and the reason when it gives none */
    /* One of the two; NULL is no opinion, the usual answer. look() judges the whole call, clear()
     * one action, and it may only allow. */
    const struct said *(*look)(const struct facts *f);
    const struct said *(*clear)(const struct facts *f, size_t action);
};

extern const struct layer layers[LAYER_COUNT];

/* How a layer gives its opinion: about the whole call; with every member its own; as an ask that
 * survives bypass and --auto-allow; because of a rule. */
const struct said *say(const struct facts *f, enum opinion opinion, struct str reason);
const struct said *say_all(const struct facts *f, struct said said);
const struct said *say_immune_ask(const struct facts *f, size_t action, struct str reason);
struct said *say_rule(const struct facts *f, enum opinion opinion, const struct rule *rule,
                      size_t action);

#define LAYER_look(function) const struct said *layer_##function(const struct facts *f);
#define LAYER_clear(function)                                                                      \
    const struct said *layer_##function(const struct facts *f, size_t action);
#define LAYER(id, kind, function, name, sentence) LAYER_##kind(function)
#include "decide/layers.def"
#undef LAYER

/* The risk that the matrix of modes and risks gives. */
enum opinion risk_matrix(enum mode mode, enum risk risk);

#endif
