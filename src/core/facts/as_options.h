/* as_options.h - variables that say what an option of their program says: AWS_PROFILE=dev aws s3 ls
 * is aws --profile dev s3 ls. */
#ifndef FACTS_AS_OPTIONS_H
#define FACTS_AS_OPTIONS_H

#include "facts/facts.h"
#include "shell/shell.h"

/* Sets action.as_option of the assignments that only do that, and gives their commands the
 * spellings with the option: deny and ask rules that name it are about the variable, too. */
void as_options_find(struct facts *f, const struct shell_actions *all);

#endif
