/* clock.h - monotonic time, for deadlines. */
#ifndef MACHINE_CLOCK_H
#define MACHINE_CLOCK_H

#include <stdint.h>

int64_t clock_ms(void);

#endif
