#include "words/round_number.h"

#include <math.h>

static double round_to_three_digits(double number)
{
    double unit = number < 100 ? 1 : pow(10, floor(log10(number)) - 2);
    return round(number / unit) * unit;
}

void round_number_put(FILE *out, double number)
{
    if (!(number < 1e9)) {
        fprintf(out, isfinite(number) ? "more than 10^%.0f" : "any number", floor(log10(number)));
        return;
    }
    number = round_to_three_digits(number);
    if (number >= 1e6)
        fprintf(out, "about %.3g million", number / 1e6);
    else if (number >= 1000)
        fprintf(out, "about %.0f,%03.0f", floor(number / 1000), fmod(number, 1000));
    else
        fprintf(out, "about %.0f", number);
}
