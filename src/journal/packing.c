#include "journal/packing.h"

#include <zstd.h>

#include "base/die.h"

enum {
    LEVEL = 1,
    WINDOW = 18,       /* 256 KB of what came before; as much memory in the reader */
    PIECE = 1 << 17,   /* what is unpacked at one time */
};

/* ---- packing ---- */

struct packer {
    ZSTD_CCtx *zstd; /* owns */
};

struct packer *packer_new(void)
{
    struct packer *packer = xcalloc(1, sizeof *packer);
    packer->zstd = ZSTD_createCCtx();
    if (!packer->zstd || ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_compressionLevel, LEVEL)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_windowLog, WINDOW)))
        die("out of memory");
    return packer;
}

void packer_free(struct packer *packer)
{
    if (!packer)
        return;
    ZSTD_freeCCtx(packer->zstd);
    free(packer);
}

void packer_add(struct packer *packer, const char *raw, size_t bytes, bytes_t *to)
{
    ZSTD_inBuffer in = {raw, bytes, 0};
    size_t left = 1;
    while (left) {
        vec_reserve(to, ZSTD_compressBound(bytes));
        ZSTD_outBuffer out = {to->at + to->n, to->cap - to->n, 0};
        left = ZSTD_compressStream2(packer->zstd, &out, &in, ZSTD_e_flush);
        if (ZSTD_isError(left))
            die("the journal cannot be packed: %s", ZSTD_getErrorName(left));
        to->n += out.pos;
    }
}

/* ---- unpacking ---- */

struct unpacker {
    ZSTD_DCtx *zstd; /* owns */
};

struct unpacker *unpacker_new(void)
{
    struct unpacker *unpacker = xcalloc(1, sizeof *unpacker);
    unpacker->zstd = ZSTD_createDCtx();
    if (!unpacker->zstd || ZSTD_isError(ZSTD_DCtx_setParameter(unpacker->zstd, ZSTD_d_windowLogMax, WINDOW)))
        die("out of memory");
    return unpacker;
}

void unpacker_free(struct unpacker *unpacker)
{
    if (!unpacker)
        return;
    ZSTD_freeDCtx(unpacker->zstd);
    free(unpacker);
}

void unpacker_begin(struct unpacker *unpacker)
{
    ZSTD_DCtx_reset(unpacker->zstd, ZSTD_reset_session_only);
}

/* Room is made as it is needed: how much there is to come is what a stranger may have said. */
bool unpacker_read(struct unpacker *unpacker, const char *packed, size_t bytes, size_t holds, bytes_t *raw)
{
    ZSTD_inBuffer in = {packed, bytes, 0};
    bool more = true;
    vec_clear(raw);
    while (more && raw->n < holds) {
        size_t room = holds - raw->n < PIECE ? holds - raw->n : PIECE;
        vec_reserve(raw, room);
        ZSTD_outBuffer out = {raw->at + raw->n, room, 0};
        if (ZSTD_isError(ZSTD_decompressStream(unpacker->zstd, &out, &in)))
            return false;
        raw->n += out.pos;
        more = out.pos == room || (out.pos && in.pos < in.size);
    }
    return raw->n == holds && in.pos == in.size;
}
