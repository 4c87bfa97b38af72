#include "base/utf8.h"

int utf8_next(const char *text, uint32_t *point)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint8_t first = (uint8_t)text[0];
    int length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
    if (length == 0)
        return 0;
    uint32_t value = length == 1 ? first : first & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if (((uint8_t)text[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | ((uint8_t)text[i] & 0x3f);
    }
    if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return 0;
    *point = value;
    return length;
}
