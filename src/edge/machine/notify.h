/* notify.h - a notification on the person's desktop, by notify-send(1).
 *
 * It says nothing that an agent wrote. It is started and forgotten: no answer waits for it, and
 * whether it could be shown is not known. */
#ifndef MACHINE_NOTIFY_H
#define MACHINE_NOTIFY_H

/* `avoid`: a directory whose programs are not started (the project's). Both texts are shown as they
 * are, so they hold no markup. */
void notify_desktop(const char *avoid, const char *title, const char *text);

#endif
