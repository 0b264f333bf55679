/* fuzz_javascript.c - fuzzes src/core/programs/javascript: any bytes as the text after `node -e`.
 *
 * Properties: those of inlinetext.h; and no text is accepted if a forbidden call is added at its
 * end. */
#include "inlinetext.h"
#include "programs/javascript/javascript.h"

static void run(void *arg)
{
    const struct inline_target node = {"node", "-e", STR("\n// more\n"), JS_TEXT_MAX};
    const struct str *text = arg;

    check_text(&node, *text);
    must(effects_of(&node, str_join(&arena, *text, STR("\n;eval(1)"))) == EFFECT_CODE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_text(data, size, run);
    return 0;
}
