/* fuzz_python.c - fuzzes src/core/programs/python: any bytes as the text after `python3 -c`.
 *
 * Properties: those of inlinetext.h. */
#include "inlinetext.h"
#include "programs/python/python.h"

static void run(void *arg)
{
    const struct inline_target python = {"python3", "-c", STR("\n# more\n"), PYTHON_TEXT_MAX};
    const struct str *text = arg;

    check_text(&python, *text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_text(data, size, run);
    return 0;
}
