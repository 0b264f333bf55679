#include "cell/own.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "image_build.h"
#include "machine/passwd.h"

#define TIER_FILE ".cache/warder/cell"
#define BOOT_FILE "/proc/sys/kernel/random/boot_id"

enum status own_path(const char *below, char out[OWN_PATH_MAX], struct error *err)
{
    char home[PASSWD_LINE_MAX];
    enum status status = passwd_home(PASSWD_FILE, geteuid(), home, err);

    if (status != STATUS_OK)
        return status;
    if (snprintf(out, OWN_PATH_MAX, "%s/%s", home, below) >= OWN_PATH_MAX)
        return fail(err, STATUS_LIMIT, "the path of the home is too long");
    return STATUS_OK;
}

bool own_boot(char out[OWN_BOOT_ROOM])
{
    AUTO_CLOSE int fd = open(BOOT_FILE, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, out, OWN_BOOT_ROOM - 1);

    if (got <= 0)
        return false;
    out[got] = '\0';
    out[strcspn(out, "\n")] = '\0';
    return out[0] != '\0';
}

const char *own_build(void)
{
    static char text[17];

    (void)snprintf(text, sizeof(text), "%016" PRIx64, IMAGE_BUILD);
    return text;
}

void own_forget_tier(void)
{
    char path[OWN_PATH_MAX];

    if (own_path(TIER_FILE, path, NULL) == STATUS_OK)
        (void)unlink(path);
}
