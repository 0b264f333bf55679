/* notice.h - what a target is told of an event, in the words that it understands.
 *
 * Plain: the event as it is, with the links of a review. ntfy and Slack: new reviews alone, as a
 * person reads them on a phone. A notice passes through the hands of others, so it has the headline
 * and the links, never the command. */
#ifndef SERVE_NOTICE_H
#define SERVE_NOTICE_H

#include <stdbool.h>

#include "base/str.h"

enum notice_form { NOTICE_PLAIN = 0, NOTICE_NTFY, NOTICE_SLACK };

/* *told is false if this form has no words for such an event. links: of warder_event; empty: none.
 * topic: of ntfy. malloc'ed; NULL: no memory, or nothing to tell. */
char *notice_make(enum notice_form form, struct str topic, struct str event, struct str links,
                  bool *told);

/* An ntfy server takes JSON at its root, and the topic in it: https://ntfy.sh/topic becomes
 * https://ntfy.sh/ and topic. False: there is no topic. */
bool notice_cut_topic(char *url, char *topic, size_t room);

#endif
