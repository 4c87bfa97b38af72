#include "options/word.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"

long word_number(const char *text, long least, long most, const char *what)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < least || value > most)
        die("%s is a number from %ld to %ld, not '%s'", what, least, most, text);
    return value;
}

/* ---- misspelt words ---- */

enum { LONGEST = 32, FAR = LONGEST };

static int least_of_three(int a, int b, int c)
{
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* How many letters have to be put in, left out or changed. */
static int distance(const char *a, size_t n, const char *b)
{
    int row[LONGEST + 1], length = (int)strlen(b);
    if (n > LONGEST || length > LONGEST)
        return FAR;
    for (int j = 0; j <= length; j++)
        row[j] = j;
    for (int i = 1; i <= (int)n; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            int above = row[j];
            row[j] = least_of_three(diagonal + (a[i - 1] != b[j - 1]), above + 1, row[j - 1] + 1);
            diagonal = above;
        }
    }
    return row[length];
}

/* Two letters may be wrong; of three, one. */
static const char *guess(const char *text, size_t n, const char *const *words)
{
    const char *nearest = NULL;
    int most = n < 3 ? 0 : n < 4 ? 1 : 2;
    for (; *words; words++) {
        int off = distance(text, n, *words);
        if (off <= most) {
            nearest = *words;
            most = off - 1;
        }
    }
    return nearest;
}

const char *word_guess(const char *text, const char *const *words)
{
    return guess(text, strlen(text), words);
}

_Noreturn void word_refuse_option(const char *arguments, const char *const *known)
{
    const char *name = arguments + strspn(arguments, "-"), *meant = guess(name, strcspn(name, "="), known);
    if (meant)
        die("'%s' is not an option of tourney; was --%s meant? (tourney --help)", arguments, meant);
    die("'%s' is not an option of tourney (tourney --help)", arguments);
}
