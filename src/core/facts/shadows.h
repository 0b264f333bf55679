/* shadows.h - programs that are text of the command itself, and what they load.
 *
 * A Python text that was read and only computes (programs/python/read.c) still loads modules by
 * their names, and with -c and on its standard input Python looks for them in the working directory
 * first: ./json.py would run in the place of json. So the disk is asked what lies there, and the
 * other parts of the command what they may put there.
 *
 * A JavaScript text (programs/javascript/read.c) loads its modules from the program itself, and
 * data by paths: require('./x.json'). Where no such file is, node looks for ./x.json.js and
 * ./x.json/index.js, and of a link it takes what that leads to by its own name. So the file must be
 * one, by this name, or nothing of these may be there.
 *
 * What runs the project's code may write such a file as well; but whoever can do that has no need
 * of it. */
#ifndef FACTS_SHADOWS_H
#define FACTS_SHADOWS_H

#include "facts/facts.h"
#include "shell/shell.h"

/* Takes EFFECT_MODULES from the actions that load nothing but the language's own, and data. All
 * actions must have been explained. */
void shadows_find(struct facts *f, const struct shell_actions *all);

#endif
