#include "trace/format.h"

/* Half a byte at a time: blocks are compressed before they come here, so this is no cost. */
uint32_t format_sum(uint32_t sum, const void *bytes, size_t n)
{
    static const uint32_t half[16] = {
        0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
        0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
    };
    const uint8_t *at = bytes;
    sum = ~sum;
    for (size_t i = 0; i < n; i++) {
        sum ^= at[i];
        sum = sum >> 4 ^ half[sum & 15];
        sum = sum >> 4 ^ half[sum & 15];
    }
    return ~sum;
}

uint64_t format_get(struct format_view *view)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 70 && view->at < view->end; shift += 7) {
        uint8_t byte = *view->at++;
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    view->bad = true;
    view->at = view->end;
    return 0;
}

const char *format_get_text(struct format_view *view)
{
    uint64_t size = format_get(view);
    if (size == 0)
        return NULL;
    const char *text = (const char *)view->at;
    if (size > format_left(view) || memchr(text, 0, size) != text + size - 1) {
        view->bad = true;
        view->at = view->end;
        return NULL;
    }
    view->at += size;
    return text;
}
