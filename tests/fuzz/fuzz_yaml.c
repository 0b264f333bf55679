/* fuzz_yaml.c - the YAML reader, and libyaml below it, on any bytes: src/policy/yaml*.c, text.c, keys.c, number.c. */
#include "document.h"
#include "policy/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_document(yaml_read, (struct str){(const char *)data, size});
    return 0;
}
