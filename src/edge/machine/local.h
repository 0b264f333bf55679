/* local.h - which file systems are local, by their statfs(2) type. Others are not trusted. */
#ifndef MACHINE_LOCAL_H
#define MACHINE_LOCAL_H

#include <stdbool.h>

/* Does this kernel set ctime there? On a network or FUSE file system another program does. */
bool local_keeps_times(const char *path);

/* Do all changes there go through this kernel, so that inotify reports them? Not for the layers of
 * an overlay. */
bool local_reports_changes(const char *path);

#endif
