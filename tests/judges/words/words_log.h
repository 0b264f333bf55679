/* words_log.h - what a shell really did, in memory that the judge shares with every shell and
 * wrapper in its sandbox.
 *
 * A record is its size, a kind, and strings that each end with a NUL byte: the directory, then the
 * words of a command or the name of a file. Processes run side by side, so a place is reserved
 * first and filled afterwards. */
#ifndef TESTS_JUDGES_WORDS_LOG_H
#define TESTS_JUDGES_WORDS_LOG_H

#include <stdatomic.h>
#include <stdint.h>

#define LOG_PATH  "/run/words-log"
#define LOG_BYTES ((size_t)1 << 20)
#define LOG_MAX   ((uint32_t)(LOG_BYTES - 64 - sizeof(struct words_log)))

/* Between the judge and the shell that waits for texts. */
#define SERVER_IN  200
#define SERVER_OUT 201

struct words_log {
    _Atomic uint32_t used; /* more than LOG_MAX: what came last was not written */
    char records[];
};

enum log_kind { LOG_COMMAND = 1, LOG_WRITE };

struct log_record {
    uint32_t size; /* with this head, a multiple of four; 0: the process was killed meanwhile */
    uint32_t kind;
    uint32_t words;
    char text[];
};

#endif
