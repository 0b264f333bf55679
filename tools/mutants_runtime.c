/* mutants_runtime.c - what tools/mutants links into every program of its copy of the tree: which
 * change this process has, and which of them it could have met.
 *
 * Both are files below MUTANTS_PLACE, where the box of each test has a directory of its own: an
 * environment would not reach the programs that are started with a clean one. */
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

int mutant_now; /* 0: none */
void mutant_reached(int mutant);

static unsigned char *reached; /* a byte for each mutant, shared by all processes of a test */

static int number_in(const char *path)
{
    char text[16];
    int fd = open(path, O_RDONLY | O_CLOEXEC), number = 0;

    if (fd < 0)
        return 0;
    ssize_t len = read(fd, text, sizeof(text));
    close(fd);
    for (ssize_t i = 0; i < len && text[i] >= '0' && text[i] <= '9'; i++)
        number = 10 * number + text[i] - '0';
    return number;
}

__attribute__((constructor)) static void begin(void)
{
    mutant_now = number_in(MUTANTS_PLACE "/now");
    int fd = open(MUTANTS_PLACE "/reached", O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return;
    off_t size = lseek(fd, 0, SEEK_END);
    void *map = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map != MAP_FAILED)
        reached = map;
}

void mutant_reached(int mutant)
{
    if (reached)
        reached[mutant] = 1;
}
