#include "base/error.h"

#include <stdarg.h>
#include <string.h>

__attribute__((format(printf, 5, 0))) static enum status fill(struct error *err, enum status status,
                                                              uint32_t line, uint32_t column,
                                                              const char *format, va_list args)
{
    if (err) {
        err->status = status;
        err->line = line;
        err->column = column;
        /* Skip vsnprintf() if there is nothing to format: some errors are routine, such as "no
         * service is running". */
        size_t len = strlen(format);
        if (len < sizeof(err->message) && !memchr(format, '%', len))
            memcpy(err->message, format, len + 1);
        else
            vsnprintf(err->message, sizeof(err->message), format, args);
    }
    return status;
}

enum status fail(struct error *err, enum status status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fill(err, status, 0, 0, format, args);
    va_end(args);
    return status;
}

enum status fail_at(struct error *err, enum status status, uint32_t line, uint32_t column,
                    const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fill(err, status, line, column, format, args);
    va_end(args);
    return status;
}
