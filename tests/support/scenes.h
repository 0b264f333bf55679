/* scenes.h - some scenes of the case files alone, and what each of them ran: for tools/mutants. */
#ifndef TESTS_SUPPORT_SCENES_H
#define TESTS_SUPPORT_SCENES_H

#include <stdbool.h>
#include <stddef.h>

/* WARDER_SCENES names a file with a line FILE:LINE for each scene that shall run; all, if there is
 * no such file. LINE is that of its heading. */
bool scene_wanted(const char *file, size_t line);

/* WARDER_REACHED names a file with a byte for each mutant, which is set when something comes to it:
 * prints which were, and clears them. */
void scene_ended(const char *file, size_t line);

#endif
