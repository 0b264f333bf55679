/* fuzz_yaml.c - fuzzes the YAML reader, with libyaml: src/edge/document/yaml*.c, text.c, keys.c,
 * number.c. */
#include "document.h"
#include "document/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_document(yaml_read, (struct str){(const char *)data, size});
    return 0;
}
