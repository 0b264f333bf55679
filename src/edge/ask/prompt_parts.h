/* prompt_parts.h - what the files prompt*.c share. */
#ifndef ASK_PROMPT_PARTS_H
#define ASK_PROMPT_PARTS_H

#include "ask/prompt.h"

/* prompt.c */
void prompt_say(struct prompt *p, struct str text); /* as it is; for our own texts */
void prompt_lines(struct prompt *p, const struct strs *lines);
void prompt_note(struct prompt *p, const char *label,
                 struct str text);  /* written by others: shown, not obeyed */
void prompt_draw(struct prompt *p); /* what belongs to the state */
void prompt_back(struct prompt *p); /* back to choosing, with the panel */
void prompt_answer(struct prompt *p, enum behavior behavior, const char *message);

/* prompt_rule.c: editing and writing rules */
void prompt_rule_begin(struct prompt *p, enum behavior effect);
void prompt_rule_choose(struct prompt *p, size_t offer); /* the rule of that number, from 0 */
void prompt_rule_key(struct prompt *p, enum key key, struct str text);
void prompt_rule_draw(struct prompt *p);
void prompt_rule_as_shown(struct prompt *p,
                          enum behavior effect); /* without a terminal: nothing is edited */

/* prompt_page.c: viewing all of it */
void prompt_page_begin(struct prompt *p);
void prompt_page_key(struct prompt *p, enum key key, struct str text);
void prompt_page_draw(struct prompt *p);

#endif
