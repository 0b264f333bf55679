/* secret_names.h - files that hold secrets, by what their names say. */
#ifndef FACTS_SECRET_NAMES_H
#define FACTS_SECRET_NAMES_H

#include <stdbool.h>

#include "base/str.h"

/* The name of a file with keys, tokens or passwords as data: api-token.txt, deploy_rsa,
 * client_secret.json. Not that of a source file about them: token.ts, credentials_test.go,
 * secrets.tf. */
bool secret_name_is(struct str name);

#endif
