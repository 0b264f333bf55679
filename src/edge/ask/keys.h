/* keys.h - the bytes that a terminal sends, as keys. */
#ifndef ASK_KEYS_H
#define ASK_KEYS_H

#include "base/str.h"

enum key {
    KEY_NONE = 0, /* more bytes are needed, or there are none left */
    KEY_TEXT,     /* one printable character */
    KEY_ENTER,
    KEY_TAB,
    KEY_ESCAPE,
    KEY_BACKSPACE,
    KEY_DELETE,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_UP,
    KEY_DOWN,
    KEY_HOME,
    KEY_END,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_KILL_LEFT,
    KEY_KILL_RIGHT,
    KEY_KILL_WORD,
    KEY_EOF,
    KEY_PASTE_BEGIN,
    KEY_PASTE_END,
    KEY_OTHER, /* a key that means nothing here */
};

/* Takes the next key off *bytes. *text: the bytes of a KEY_TEXT. KEY_NONE leaves an incomplete key
 * there. */
enum key key_next(struct str *bytes, struct str *text);

#endif
