/* fuzz_toml.c - fuzzes the TOML reader: src/edge/document/toml*.c, text.c, keys.c, number.c. */
#include "document.h"
#include "document/toml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_document(toml_read, (struct str){(const char *)data, size});
    return 0;
}
