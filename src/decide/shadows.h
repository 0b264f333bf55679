/* shadows.h - programs that are text of the command itself, and the modules that they load.
 *
 * A Python text that was read and only computes (programs/read_python.c) still loads modules by their names, and with
 * -c and on its standard input Python looks for them in the working directory first: ./json.py would run in the place
 * of json. So the disk is asked what lies there, and the other parts of the command what they may put there.
 *
 * What runs the project's code may write such a file as well; but whoever can do that has no need of it. */
#ifndef DECIDE_SHADOWS_H
#define DECIDE_SHADOWS_H

#include "layer/facts.h"
#include "shell/shell.h"

/* Takes EFFECT_MODULES from the actions that load nothing but Python's own. All actions must have been explained. */
void shadows_find(struct facts *f, const struct shell_actions *all);

#endif
