/* letters.c - the letters of effects. */
#include "programs/reading.h"

/* ORDER: as enum program_effect */
static const char letters[] = "CNFSPKYJGLEUIWVM";

unsigned program_effect_bit(char letter)
{
    const char *at = letter ? strchr(letters, letter) : NULL;

    return at ? 1U << (at - letters) : 0;
}

char effect_letter(size_t bit)
{
    return bit < strlen(letters) ? letters[bit] : '\0';
}
