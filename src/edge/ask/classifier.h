/* classifier.h - a program, or a function of the embedder, that judges what a person is asked
 * about.
 *
 * It races beside the person, as an asker around another one (a hook panel, a callback), and has
 * less of a say: it may deny. Its allow counts only where policy says so, for a call as it is and
 * for this once; anything else it says leaves the question to the others. */
#ifndef ASK_CLASSIFIER_H
#define ASK_CLASSIFIER_H

#include "ask/race.h"

#define CLASSIFIER_NAME "classifier" /* of the asker */

struct classifier {
    const struct asker_kind *kind; /* whom it asks */
    void *self;
    bool may_allow;
};

extern const struct asker_kind classifier_asker; /* self: a struct classifier */

#endif
