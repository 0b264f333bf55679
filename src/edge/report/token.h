/* token.h - the database of tokens, opened for one change, and the record of it. */
#ifndef REPORT_TOKEN_H
#define REPORT_TOKEN_H

#include "machine/statedir.h"
#include "record/token.h"

struct token_store {
    char data[STATEDIR_MAX];
    struct database db;
    char *notice;
};

/* data NULL: below the home. Close it in every case. */
enum status token_store_open(const char *data, const char *home, struct token_store *s,
                             struct error *err);
void token_store_close(struct token_store *s);

enum status token_store_record(struct token_store *s, struct str id, const char *action,
                               struct error *err);

#endif
