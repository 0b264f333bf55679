/* panel.h - a decision as a question for a person. */
#ifndef ENGINE_PANEL_H
#define ENGINE_PANEL_H

#include "ask/always.h"
#include "ask/panel.h"
#include "engine/engine.h"

/* Everything lives in the decision's arena; below an arena_try() of it. Secrets are taken out.
 * *always: what the prompt needs to write a rule; the panel says why none can be written. */
void decision_panel(warder_decision *d, struct panel *out, struct always *always);

#endif
