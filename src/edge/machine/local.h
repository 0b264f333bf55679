/* local.h - which file systems are this machine's own, by what statfs(2) says of them. Of others
 * nothing is believed.
 */
#ifndef MACHINE_LOCAL_H
#define MACHINE_LOCAL_H

#include <stdbool.h>

/* Is ctime this kernel's word there, and not that of a server or of whoever wrote the file system
 * (FUSE)? */
bool local_keeps_times(const char *path);

/* Does all that changes there go through this kernel, so that inotify hears of it? Below an overlay
 * it does not. */
bool local_reports_changes(const char *path);

#endif
