/* clock.h - time that never goes back: for deadlines. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

int64_t clock_ms(void);

#endif
