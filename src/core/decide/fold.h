/* fold.h - from what the layers said to one verdict. */
#ifndef DECIDE_FOLD_H
#define DECIDE_FOLD_H

#include "decide/decide.h"

void fold(const struct profile *profile, const struct facts *f, struct verdict *v);

#endif
