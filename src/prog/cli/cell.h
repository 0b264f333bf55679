/* cell.h - from an engine and a command to warder-cell, which runs it in a sandbox. */
#ifndef CLI_CELL_H
#define CLI_CELL_H

#include "cli/command.h"
#include "warder_admin.h"

enum {
    EXIT_NOT_CONTAINED = 125, /* nothing was run: as warder-cell says */
};

/* What the command would get. Free it; NULL after a complaint. */
warder_report *cell_plan(warder_engine *engine, const char *file, char *const *words);
/* A descriptor that warder-cell reads the plan from; -1 after a complaint. */
int cell_keep(const warder_report *plan);
/* Becomes warder-cell; both return only if that fails, after a complaint. */
int cell_become(char *const *environment, char *const *words);
int cell_enter(char *const *environment, int plan);

#endif
