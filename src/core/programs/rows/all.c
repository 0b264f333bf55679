/* all.c - the files of rows. */
#include "programs/programs.h"

/* Every file of rows: one line each. A file ROWS.c ends with
 *     const struct program_file ROWS = {"ROWS.c", rows, COUNT(rows)}; */
#define FILES(X)                                                                                   \
    X(rows_agents)                                                                                 \
    X(rows_cloud)                                                                                  \
    X(rows_container)                                                                              \
    X(rows_desktop)                                                                                \
    X(rows_files)                                                                                  \
    X(rows_gh)                                                                                     \
    X(rows_git)                                                                                    \
    X(rows_go)                                                                                     \
    X(rows_js)                                                                                     \
    X(rows_langs)                                                                                  \
    X(rows_launch_scripts)                                                                         \
    X(rows_launch_tools)                                                                           \
    X(rows_native)                                                                                 \
    X(rows_net)                                                                                    \
    X(rows_python)                                                                                 \
    X(rows_pytools)                                                                                \
    X(rows_scripts)                                                                                \
    X(rows_shell)                                                                                  \
    X(rows_system)                                                                                 \
    X(rows_tasks)                                                                                  \
    X(rows_text)                                                                                   \
    X(rows_web)

#define DECLARE(file) extern const struct program_file file;
#define ADDRESS(file) &(file),
FILES(DECLARE)
const struct program_file *const program_file_list[] = {FILES(ADDRESS)};

const struct program_file *const *program_files(size_t *count)
{
    *count = COUNT(program_file_list);
    return program_file_list;
}
