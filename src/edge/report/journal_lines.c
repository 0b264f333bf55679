#include "report/journal_lines.h"

#include "record/journal_read.h"

enum status journal_lines(const char *state_dir, const struct journal_visitor *visitor,
                          struct error *err)
{
    struct journal_reader r;
    struct journal_line line;
    bool got = true;
    enum status status = journal_reader_open(&r, state_dir, 0, err);

    if (status != STATUS_OK)
        return status;
    while (status == STATUS_OK && got) {
        status = journal_next(&r, false, &line, &got, err);
        if (status == STATUS_OK && got && !visitor->visit(visitor->context, line.text))
            status = fail(err, STATUS_NOMEM, "no memory to read the record");
    }
    journal_reader_close(&r);
    return status;
}
