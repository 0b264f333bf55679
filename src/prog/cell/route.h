/* route.h - addresses that the network of the cell takes for its own. */
#ifndef CELL_ROUTE_H
#define CELL_ROUTE_H

#include <stdbool.h>
#include <stdint.h>

/* What is sent to the range arrives at the sockets of this network. `address`: in the order of this
 * machine. False: errno. */
bool route_to_self(uint32_t address, unsigned bits);

#endif
