/* shadows.h - inline code, and what it loads.
 *
 * A Python text that only computes (programs/python/read.c) still loads modules by name, and with
 * -c or on standard input Python searches the working directory first: ./json.py would run instead
 * of json. So the disk is checked for such files, and the other parts of the command for whether
 * they may create one.
 *
 * A JavaScript text (programs/javascript/read.c) loads its modules from the program itself, and
 * data by paths: require('./x.json'). If that file does not exist, node tries ./x.json.js and
 * ./x.json/index.js, and it resolves a link to the target's own name. So the file must exist under
 * this name, or none of these may.
 *
 * Code of the project could create such a file too; but whatever can do that does not need to. */
#ifndef FACTS_SHADOWS_H
#define FACTS_SHADOWS_H

#include "facts/facts.h"
#include "shell/shell.h"

/* Clears EFFECT_MODULES of the actions that load only the language's own modules, and data. All
 * actions must have been explained. */
void shadows_find(struct facts *f, const struct shell_actions *all);

#endif
